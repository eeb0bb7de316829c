/// @file
/// Grading: from a request to results.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "report.hpp"

namespace workbook::grader {

/// Where the graded files come from.
enum class Source {
    mine,      ///< the learner's file for the graded part, worked solutions for the others
    all_mine,  ///< the learner's files for every part
    solution,  ///< the worked solutions
};

/// What to grade.
struct Request {
    std::vector<int> parts{1, 2, 3};
    Source source = Source::mine;
    std::optional<std::filesystem::path> file;  ///< graded in place of the part's exercise.cpp
};

/// The project's folders.
struct Folders {
    std::filesystem::path source;
    std::filesystem::path build;      ///< where the graded programs are built
    std::filesystem::path solutions;  ///< the program of the worked solutions, which lists the tests
    bool sanitized = false;           ///< whether graded programs are built with sanitizers

    /// The folder of a part, such as part1_mha.
    [[nodiscard]] std::filesystem::path part(int number) const;
};

/// A file that is to be graded does not exist.
class MissingFile : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// "causal multi-head attention"
[[nodiscard]] std::string part_title(int part);

/// Builds programs that have the graded files in them.
/// @param targets  of the build
/// @return the part without steps; with an obstacle when they do not build or a file is not its author's own
/// @throws as check_part
[[nodiscard]] PartResult build_program(const Folders& folders, const Request& request, int part,
                                       const std::vector<std::string>& targets);

/// Builds and runs the tests of one part.
/// @throws MissingFile
/// @throws UnusableFile
/// @throws std::runtime_error when something other than the graded file does not build
[[nodiscard]] PartResult check_part(const Folders& folders, const Request& request, int part);

/// What the learner does next.
struct NextStep {
    std::string sentence;  ///< "Next: mend step 1.3 (one head) in part1_mha/exercise.cpp", without a full stop
    std::string step;      ///< the step that hints would help with; empty when none would
};

/// What follows from these results; empty when everything passes.
[[nodiscard]] NextStep next_step(const Folders& folders, const Request& request, const std::vector<PartResult>& parts);

}  // namespace workbook::grader
