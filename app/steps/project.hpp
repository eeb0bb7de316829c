/// @file
/// The parts and follow-ups of the project, and the files of each.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/steps/steps.hpp"

namespace workbook::app {

/// A part or a follow-up, as parts.json lists it.
struct Part {
    std::string name;    ///< what commands call it: "1", "streaming"
    std::string folder;  ///< of its question and answers: "part1_mha"
    std::string tests;   ///< of its graded tests: "tests/part1"
    std::string title;   ///< "causal multi-head attention"
    bool is_follow_up = false;
    std::string formerly{};  ///< a step that it was in earlier versions: "3.5"; mostly empty

    /// "Part 1", "Follow-up streaming".
    [[nodiscard]] std::string label() const;
    /// "Part 1: causal multi-head attention".
    [[nodiscard]] std::string heading() const { return label() + ": " + title; }
    /// The learner's file as messages call it: "part1_mha/exercise.cpp".
    [[nodiscard]] std::string exercise() const { return folder + "/exercise.cpp"; }
    /// The worked answer: "part1_mha/solution.cpp".
    [[nodiscard]] std::string solution() const { return folder + "/solution.cpp"; }

    bool operator==(const Part& other) const { return name == other.name; }
};

/// No part, follow-up or step has that name; the message lists those that there are.
class UnknownName : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A checkout of the workbook: its folders and its parts.
class Project {
public:
    /// @param source  the checkout's folder; its parts.json is read
    /// @param build   where graded programs are built
    /// @throws std::runtime_error when parts.json cannot be read
    Project(std::filesystem::path source, std::filesystem::path build);

    std::filesystem::path source;
    std::filesystem::path build;
    std::filesystem::path solutions;  ///< the program of the worked solutions, which lists the graded tests
    bool sanitized = false;           ///< whether graded programs are built with sanitizers

    /// Parts 1 to 3.
    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    [[nodiscard]] const std::vector<Part>& follow_ups() const { return follow_ups_; }
    /// Parts, then follow-ups.
    [[nodiscard]] std::vector<Part> all() const;

    /// @throws UnknownName
    [[nodiscard]] const Part& part(const std::string& name) const;
    /// The part that a step belongs to: "1" for "1.3", "streaming" for "streaming.1".
    /// @throws UnknownName when there is no such step
    [[nodiscard]] const Part& part_of_step(const std::string& step) const;

    [[nodiscard]] std::filesystem::path exercise(const Part& part) const { return source / part.exercise(); }
    [[nodiscard]] std::filesystem::path solution(const Part& part) const { return source / part.solution(); }

    /// A copy of the learner's file as it was when it was graded last.
    [[nodiscard]] std::filesystem::path latest(const Part& part) const {
        return source / ".workbook" / "latest" / (part.name + ".cpp");
    }

    /// The empty exercise of a part.
    [[nodiscard]] std::string skeleton(const Part& part) const;
    /// Whether a part's exercise.cpp is still the empty one.
    [[nodiscard]] bool is_untouched(const Part& part) const;
    /// The titles of a part's steps, in order.
    [[nodiscard]] std::vector<steps::StepTitle> step_titles(const Part& part) const;

private:
    /// @throws UnknownName for a step of earlier versions that is a follow-up now; says where it went
    void refuse_former_step(const std::string& name) const;

    std::vector<Part> parts_;
    std::vector<Part> follow_ups_;
};

/// The name of the part that a step belongs to, by the step's name alone: "1" for "1.3".
[[nodiscard]] std::string part_name_of(const std::string& step);

}  // namespace workbook::app
