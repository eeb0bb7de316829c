/// @file
/// A wrong solution as a small edit of a right one.
///
/// The first line of an edit names the right solution, relative to the project. Then come one or more replacements, in
/// the form that version control shows conflicts in:
///
///     part1_mha/solution.cpp
///     <<<<<<<
///         scores /= std::sqrt(static_cast<Scalar>(q.shape(1)));
///     =======
///         scores /= static_cast<Scalar>(q.shape(1));
///     >>>>>>>
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace workbook::edits {

/// An edit that does not fit; the message says which text was looked for.
class EditError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The name of the part that a right answer is for: "1" of part1_mha/solution.cpp and tests/variants/part1_spans.cpp.
[[nodiscard]] std::string part_of_answer(const std::filesystem::path& file);

/// One replacement of whole lines.
struct Replacement {
    std::string before;
    std::string after;
};

/// An edit as a document has it.
struct Edit {
    std::filesystem::path base;  ///< relative to the project
    std::vector<Replacement> replacements;

    /// The name of the part that the base belongs to.
    [[nodiscard]] std::string part() const;
};

/// Reads the text of an edit.
/// @throws EditError when it does not have the form above
[[nodiscard]] Edit parse_edit(const std::string& text);

/// Where the lines that a replacement of the edit replaces start in its solution.
/// @throws EditError unless they occur exactly once
[[nodiscard]] std::size_t place_of(const Edit& edit, const Replacement& replacement, const std::string& solution);

/// Makes all replacements.
/// @throws EditError unless each of the lines to be replaced occurs exactly once
[[nodiscard]] std::string applied(const Edit& edit, std::string solution);

}  // namespace workbook::edits
