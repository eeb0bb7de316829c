/// @file
/// The computed parts of the pages. A page holds them between marks, so that it can be read as it is:
///
///     <!-- computed: kv_per_token -->131,072<!-- end -->
///
/// A space that follows a number stands before the end mark, since Doxygen drops it behind. A table stands between the
/// same marks, with an empty line on either side.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace workbook::docs {

/// What can be computed, by name: a number, or a table.
using Blocks = std::map<std::string, std::function<std::string()>>;

/// @name The blocks by page
/// @{
[[nodiscard]] Blocks shape_blocks();
[[nodiscard]] Blocks cost_blocks();
[[nodiscard]] Blocks follow_up_blocks();
/// @param tests  the folder of the graded tests
[[nodiscard]] Blocks points_blocks(const std::string& tests);
/// @param folder  where measure_costs and measure_story wrote their files
[[nodiscard]] Blocks measured_blocks(const std::string& folder);
/// @param folder  where docs/figures/measure.sh put what ./workbook bench wrote
[[nodiscard]] Blocks bench_blocks(const std::string& folder);
/// @}

/// A page whose marks do not fit together; the message names the mark.
class MarkError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The page with everything between marks computed again.
/// @throws MarkError when a mark has no end, or a name is not known
[[nodiscard]] std::string filled(const std::string& page, const Blocks& blocks);

}  // namespace workbook::docs
