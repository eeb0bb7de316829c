/// @file
/// Given: the number type of the workbook.
#pragma once

namespace workbook {

/// The number type of every tensor: double, or float when built with -DWORKBOOK_FLOAT=ON.
#ifdef WORKBOOK_FLOAT
using Scalar = float;
#else
using Scalar = double;
#endif

}  // namespace workbook
