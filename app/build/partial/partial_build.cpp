#include "app/build/partial/partial_build.hpp"

#include <algorithm>
#include <optional>

#include "app/base/files.hpp"
#include "app/base/pattern.hpp"
#include "app/build/compiler_log.hpp"
#include "app/build/partial/partial_file.hpp"

namespace workbook::app {

namespace {

// One of the learner's files in a build.
class BrokenFile {
public:
    BrokenFile(const Project& project, const GradedFiles& files, const Part& part)
        : path_(files.file_of(part)),
          name_(files.name_of(part)),
          source_(files.source_of(part)),
          rest_(read_file(path_), steps::step_functions_of(project.skeleton(part))) {}

    // Takes out what a build's log complains of.
    // @param first_only  only what the first error is about: the others may follow from it
    // @return whether there was something to take out, and something is left
    [[nodiscard]] bool take_out(const std::string& log, bool first_only) {
        std::vector<std::size_t> lines = digest(log, path_, name_).error_lines;
        lines.resize(std::min(lines.size(), first_only ? std::size_t{1} : lines.size()));
        bool has_changed = false;
        for (const std::size_t line : lines) {
            if (std::ranges::any_of(cuts_, [&](const Cut& cut) { return cut.has(line); })) {
                continue;
            }
            const std::optional<Cut> cut = rest_.take_out(line);
            if (!cut) {
                return false;
            }
            note(*cut, log);
            has_changed = true;
        }
        return has_changed && rest_.has_steps();
    }

    // A step's function with other parameters is no answer, and the calls of it are none of other steps' mistakes.
    [[nodiscard]] bool take_out_overloads(const std::string& log) {
        static const Pattern ambiguous(R"((?:overloaded|call to) (?:‘|')(\w+)[^\n]* is ambiguous)");
        bool has_changed = false;
        for (const Match& call : ambiguous.all(log)) {
            has_changed = rest_.take_out_overloads_of(call[1]) || has_changed;
        }
        return has_changed && rest_.has_steps();
    }

    void place() const { write_atomically(source_, rest_.source(path_)); }

    [[nodiscard]] const std::vector<UncompiledStep>& uncompiled() const { return uncompiled_; }

private:
    // A step that loses a helper later is told of its own errors only.
    void note(const Cut& cut, const std::string& log) {
        std::string errors = digest(log, path_, name_, 3, [&](std::size_t line) { return cut.has(line); }).errors;
        if (errors.empty()) {
            errors = digest(log, path_, name_, 1).errors;  // what the braces have done to the code below
        }
        if (cut.has_unpaired_braces) {
            errors = "The braces { } of this step do not pair up, which the compiler may notice only further down.\n" +
                     errors;
        }
        for (const std::string& step : cut.steps) {
            if (std::ranges::find(uncompiled_, step, &UncompiledStep::step) == uncompiled_.end()) {
                uncompiled_.push_back({step, name_, errors});
            }
        }
        cuts_.push_back(cut);
    }

    std::filesystem::path path_;
    std::string name_;
    std::filesystem::path source_;
    PartialFile rest_;
    std::vector<Cut> cuts_;
    std::vector<UncompiledStep> uncompiled_;
};

// Takes out what the log complains of, in every file of which it does so.
bool take_out(std::vector<BrokenFile>& files, const std::string& log, bool first_only) {
    bool has_changed = false;
    for (BrokenFile& file : files) {
        if (file.take_out_overloads(log) || file.take_out(log, first_only)) {
            file.place();
            has_changed = true;
        }
    }
    return has_changed;
}

// Builds what is left of the files until that works.
BuildResult build_rest(const Project& project, const std::vector<std::string>& targets, const BuildResult& failed,
                       std::vector<BrokenFile>& files) {
    constexpr int most_attempts = 5;
    BuildResult built = failed;
    for (int i = 0; i < most_attempts && !built.succeeded && take_out(files, built.log, i == 0); ++i) {
        built = build(project, targets);
    }
    return built;
}

}  // namespace

PartialBuild build_without_broken_steps(const Project& project, const GradedFiles& files,
                                        const std::vector<std::string>& targets, const BuildResult& failed) {
    std::vector<BrokenFile> broken;
    for (const Part& part : files.learners_parts()) {
        broken.emplace_back(project, files, part);
    }
    PartialBuild result;
    try {
        result.built = build_rest(project, targets, failed, broken);
    } catch (...) {  // interrupted
        files.place();
        throw;
    }
    files.place();  // whoever builds next builds the whole files
    for (const BrokenFile& file : broken) {
        result.uncompiled.insert(result.uncompiled.end(), file.uncompiled().begin(), file.uncompiled().end());
    }
    std::ranges::sort(result.uncompiled, {}, &UncompiledStep::step);
    return result;
}

}  // namespace workbook::app
