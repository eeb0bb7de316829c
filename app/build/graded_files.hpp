/// @file
/// Which files a part is graded from, and what they and their programs are called in the build.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/results/results.hpp"
#include "app/steps/project.hpp"

namespace workbook::app {

/// Where the graded files come from.
enum class Source {
    mine,      ///< the learner's file for the graded part, worked solutions for the others
    all_mine,  ///< the learner's files for every part
    solution,  ///< the worked solutions
};

/// What to grade.
struct Request {
    Source source = Source::mine;
    std::optional<std::filesystem::path> file{};  ///< graded in place of the part's exercise.cpp
    std::vector<std::string> steps{};             ///< that are graded; all of the part when empty
    std::string test{};                           ///< words in the names of the tests that are run; all when empty
    unsigned jobs = 0;  ///< tests at once; 0: as many as there are processors that may be used

    /// Whether a step of the part is graded.
    [[nodiscard]] bool grades(const std::string& step) const;
    /// Whether a test is run. Its name is compared as a sentence, in large or small letters.
    [[nodiscard]] bool runs(const GradedTest& graded) const;
    /// What of the part is graded: "step 2.3", "tests of step 2.3 with \"overflow\" in their names"; empty for all.
    [[nodiscard]] std::string scope() const;
};

/// A file that is to be graded does not exist.
class MissingFile : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file, and how messages call it.
struct NamedFile {
    std::filesystem::path path;
    std::string name;
};

/// The files of one graded part. The project has to outlive it.
class GradedFiles {
public:
    GradedFiles(const Project& project, Request request, Part part);

    [[nodiscard]] const Part& part() const { return part_; }
    /// The file that the graded part comes from, as messages call it.
    [[nodiscard]] std::string graded_from() const { return name_of(part_); }
    /// What it is linked with, in words.
    [[nodiscard]] std::string others_from() const;
    /// The file that a part comes from, as messages call it: relative to the project where it lies in there.
    [[nodiscard]] std::string name_of(const Part& part) const;

    /// Whether the other parts are the worked solutions.
    [[nodiscard]] bool is_linked_with_worked() const { return request_.source == Source::mine; }

    /// The parts of which a learner's file is in the programs.
    [[nodiscard]] std::vector<Part> learners_parts() const;
    /// A part's file of the learner's, as the compiler sees its path.
    [[nodiscard]] std::filesystem::path file_of(const Part& part) const;
    /// The learner's files in the programs.
    [[nodiscard]] std::vector<NamedFile> learners_files() const;

    /// The targets that build the programs.
    [[nodiscard]] std::vector<std::string> targets() const;
    /// The program that has the tests of a step in it, linked with what the request asks for.
    [[nodiscard]] std::filesystem::path program(const std::string& step) const;

    /// The generated source by way of which a part's learner's file is compiled: one line that includes it, so that
    /// messages name the path that its author knows.
    [[nodiscard]] std::filesystem::path source_of(const Part& part) const;
    /// What that source is compiled to, relative to the build folder.
    [[nodiscard]] std::string object_of(const Part& part) const;
    /// Writes the generated sources of all learner's files; files that have not changed stay untouched. Keeps a copy of
    /// each exercise.cpp.
    /// @throws MissingFile
    /// @throws UnusableFile
    void place() const;

private:
    void keep_latest(const Part& part) const;
    [[nodiscard]] std::string build_name(const Part& part) const;
    /// The program that has the tests of a step in it.
    [[nodiscard]] std::string program_name(const std::string& step) const;

    const Project& project_;
    Request request_;
    Part part_;
};

}  // namespace workbook::app
