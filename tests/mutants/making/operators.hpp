/// @file
/// Operators: small changes of a function's body, each of which most likely makes it wrong.
#pragma once

#include <string>
#include <vector>

#include "tests/mutants/making/tokens.hpp"

namespace workbook::mutants {

/// A piece of a body and what stands there instead.
struct Change {
    std::string operation;  ///< "relation"
    Piece piece;
    std::string text;

    [[nodiscard]] std::string applied(const std::string& body) const;
    /// The lines that it changes, before and after, in one line each.
    [[nodiscard]] std::string line_before(const std::string& body) const;
    [[nodiscard]] std::string line_after(const std::string& body) const;
};

/// A comparison that takes in its bound, or no longer does; an equality turned round.
[[nodiscard]] std::vector<Change> changed_relations(const std::string& body);
/// The condition of a branch, or of a choice with `?`, that always holds or never does; && for ||.
[[nodiscard]] std::vector<Change> changed_conditions(const std::string& body);
/// Another operation of arithmetic; an assignment that forgets what there was.
[[nodiscard]] std::vector<Change> changed_arithmetic(const std::string& body);
/// A number, such as an axis, one more or one less.
[[nodiscard]] std::vector<Change> changed_numbers(const std::string& body);
/// A loop's variable, in an index or an argument, replaced by 0.
[[nodiscard]] std::vector<Change> zeroed_indices(const std::string& body);
/// Neighbouring arguments or indices, swapped.
[[nodiscard]] std::vector<Change> swapped_arguments(const std::string& body);
/// A name for another: keys for values, rows for tokens.
[[nodiscard]] std::vector<Change> swapped_names(const std::string& body);
/// Another function or constant: the least for the greatest, a number for infinity.
[[nodiscard]] std::vector<Change> changed_functions(const std::string& body);
/// float in place of Scalar.
[[nodiscard]] std::vector<Change> floats(const std::string& body);
/// A statement left out.
[[nodiscard]] std::vector<Change> dropped_statements(const std::string& body);
/// A result returned before it is complete; a loop that ends after its first pass or before its last.
[[nodiscard]] std::vector<Change> early_ends(const std::string& body);
/// A local variable that keeps the value of the first call.
[[nodiscard]] std::vector<Change> static_variables(const std::string& body);

/// All of these.
[[nodiscard]] std::vector<Change> changes_of(const std::string& body);

}  // namespace workbook::mutants
