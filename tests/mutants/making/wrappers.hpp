/// @file
/// Operators that leave a function's body as it is and spoil what it does around it: for inputs of certain sizes only,
/// in the inputs themselves, or from the second call on.
#pragma once

#include <string>
#include <vector>

#include "tests/mutants/making/function.hpp"

namespace workbook::mutants {

/// A body around another.
struct Wrapper {
    std::string operation;  ///< "cliff"
    std::string line;       ///< what it adds: "if (k.shape(0) > 256) spoil(result);"
    std::string body;       ///< the whole new body
};

/// What a call's inputs are large or small in, as expressions: "q.shape(0)", "kv.batch()".
[[nodiscard]] std::vector<std::string> extents_of(const Function& function);

/// Wrong when an extent is greater than a number: 8, 16, 64, 100, 256 or 1000.
[[nodiscard]] std::vector<Wrapper> cliffs(const Function& function, const std::string& body);
/// Wrong for a single row, token, head or key, while there may be more than one of the others; for an odd number of
/// them; when there are fewer of one than of another.
[[nodiscard]] std::vector<Wrapper> special_cases(const Function& function, const std::string& body);
/// An input changed through const_cast.
[[nodiscard]] std::vector<Wrapper> written_inputs(const Function& function, const std::string& body);
/// The result of the first call given again: always, or whenever the extents are the same.
[[nodiscard]] std::vector<Wrapper> static_results(const Function& function, const std::string& body);
/// The result rounded to float.
[[nodiscard]] std::vector<Wrapper> rounded_results(const Function& function, const std::string& body);

/// All of these.
[[nodiscard]] std::vector<Wrapper> wrappers_of(const Function& function, const std::string& body);

}  // namespace workbook::mutants
