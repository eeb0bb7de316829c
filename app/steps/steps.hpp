/// @file
/// Derives files from a worked solution: the learner's skeleton, and one file per step.
///
/// A solution marks the body of each step with a pair of equal comment lines, `// [1.2 softmax_rows]`. An indented pair
/// is a function body: the skeleton throws NotImplemented there. A pair at the start of the line holds helpers of the
/// worked body: the skeleton leaves them out. A line `// Step 1.2: …` starts the text and functions of a step.
#pragma once

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace workbook::steps {

/// A solution whose markers do not fit together; the message starts with the line number.
class MarkerError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The learner's file: every marked body replaced by a throw.
/// @throws MarkerError for nested, unpaired or duplicate markers, or when there is none
[[nodiscard]] std::string skeleton_of(const std::string& solution);

/// What is linked behind a learner's file, for the functions that it lacks: the skeleton, saying so instead.
/// @throws MarkerError as above
[[nodiscard]] std::string stand_in_of(const std::string& solution);

/// A file with the functions of some steps only; compiler messages point at `path`.
/// @param steps  their numbers, such as "1.2"
/// @param path   where the solution lies
/// @throws MarkerError when there is no such step
[[nodiscard]] std::string only_steps(const std::string& solution, const std::set<std::string>& steps,
                                     const std::string& path);

/// The text and functions of one step as they stand in a file, from its line `// Step 1.2: …` to the next one.
struct Section {
    std::string step;  ///< empty for what comes before the first step
    std::string text;  ///< without markers, blank lines at the end and the end of the namespace
};

/// Cuts a solution or a learner's file into its steps.
[[nodiscard]] std::vector<Section> sections_of(const std::string& file);

/// The text of one section; empty when the file has none for the step.
[[nodiscard]] std::string section_of(const std::string& file, const std::string& step);

/// The step whose heading is the last one above a place in a file; empty above the first one.
[[nodiscard]] std::string step_at(const std::string& file, std::size_t place);

/// The title of a step.
struct StepTitle {
    std::string step;   ///< "1.2"
    std::string title;  ///< "softmax over each row"
};

/// The titles of a solution's steps, in order.
[[nodiscard]] std::vector<StepTitle> titles_of(const std::string& solution);

}  // namespace workbook::steps
