/// @file
/// What the workbook remembers between commands. Whether a step passes is not among it: that is graded again each time.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/steps/project.hpp"

namespace workbook::app {

/// The file .workbook/progress.json. Fields that this version does not know stay in it, and files of older versions are
/// read.
///
/// Load it, change it, save it, all at once: a `watch` in another terminal may change it too.
class Progress {
public:
    /// Reads the file of a project; without one, nothing has happened yet. A damaged file is renamed to
    /// progress.json.broken, which is said in a line on standard error, and a new one is begun.
    explicit Progress(const Project& project);

    /// @throws std::runtime_error when the file cannot be written
    void save() const;

    [[nodiscard]] std::string current_part() const;  ///< its name; the first part before the first `start`
    [[nodiscard]] bool carries() const;              ///< the current part is graded on top of the learner's other files
    [[nodiscard]] bool carries(const Part& part) const;  ///< the same, if that part is the current one
    void start(const Part& part, bool carry);

    [[nodiscard]] int last_hint(const std::string& step) const;  ///< the number of the hint shown last, 0 before
    void set_last_hint(const std::string& step, int number);

    /// The day, such as 2026-01-31, on which the step passed for the first time.
    [[nodiscard]] std::optional<std::string> first_passed(const std::string& step) const;
    /// Notes the day for each of these steps that has none. True when there was such a step.
    bool note_passed(const std::vector<std::string>& steps, const std::string& day);

private:
    void rename_steps(const Project& project);

    std::filesystem::path path_;
    std::string first_part_;
    nlohmann::json fields_;
};

}  // namespace workbook::app
