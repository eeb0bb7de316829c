/// @file
/// A learner's file without the steps that do not compile.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/steps/source_text.hpp"

namespace workbook::app {

/// What was taken out of a file, and why.
struct Cut {
    std::vector<std::string> steps;    ///< that the file does not have any more
    std::vector<bool> lines;           ///< whether a line, from 1, was taken out
    bool has_unpaired_braces = false;  ///< of which the compiler may complain far below

    [[nodiscard]] bool has(std::size_t line) const { return line < lines.size() && lines[line]; }
};

/// A learner's text, from which steps are taken out. Every line stays where it is; what is taken out becomes blank.
class PartialFile {
public:
    /// @param functions  of all steps of the part
    PartialFile(std::string text, std::vector<steps::StepFunction> functions);

    /// Takes out the step to which an error belongs: its functions, and a helper with an error in it together with all
    /// steps that need it. A step with braces that do not pair up goes first, because what comes behind it is misread.
    /// @return nothing when the error belongs to no step
    [[nodiscard]] std::optional<Cut> take_out(std::size_t error_line);

    /// Takes out what has the name of a step's function but other parameters than that: it makes calls ambiguous.
    /// @return whether there was such a one
    bool take_out_overloads_of(const std::string& function);

    /// Whether the file has functions of some step still.
    [[nodiscard]] bool has_steps() const;

    /// A text to compile in place of the file, from any folder: messages name the file and its lines.
    [[nodiscard]] std::string source(const std::filesystem::path& file) const;

private:
    // A piece of the text that belongs to a step.
    struct Section {
        std::string step;
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    [[nodiscard]] std::string step_of(const steps::Item& item) const;
    [[nodiscard]] std::optional<Section> heading_above(std::size_t place) const;
    [[nodiscard]] std::size_t start_of(const std::string& step, bool& is_heading) const;
    [[nodiscard]] std::vector<Section> sections(bool& have_headings) const;
    [[nodiscard]] std::vector<std::string> steps_that_need(const steps::Item& helper) const;
    [[nodiscard]] std::vector<std::string> steps_behind(const steps::Item& item) const;
    [[nodiscard]] std::optional<Cut> take_out_unpaired(std::size_t error_line);
    void blank(std::size_t begin, std::size_t end, Cut& cut);

    std::string text_;
    std::vector<steps::StepFunction> functions_;
    std::vector<std::string> steps_;  // each once, in order
};

}  // namespace workbook::app
