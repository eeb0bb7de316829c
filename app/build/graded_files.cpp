#include "app/build/graded_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/build/inclusion.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

fs::path relative_to(const fs::path& path, const fs::path& folder) {
    const fs::path relative = path.lexically_relative(folder);
    return relative.empty() || *relative.begin() == ".." ? path : relative;
}

}  // namespace

bool Request::grades(const std::string& step) const {
    return steps.empty() || std::ranges::find(steps, step) != steps.end();
}

bool Request::runs(const GradedTest& graded) const {
    return grades(graded.step) && in_small_letters(graded.sentence()).find(in_small_letters(test)) != std::string::npos;
}

std::string Request::scope() const {
    const std::string of_steps = fmt::format("step{} {}", steps.size() > 1 ? "s" : "", enumerated(steps));
    if (!test.empty()) {
        return fmt::format("tests{} with \"{}\" in their names", steps.empty() ? "" : " of " + of_steps, test);
    }
    return steps.empty() ? "" : of_steps;
}

GradedFiles::GradedFiles(const Project& project, Request request, Part part)
    : project_(project), request_(std::move(request)), part_(std::move(part)) {
}

std::string GradedFiles::name_of(const Part& part) const {
    const fs::path file = request_.source == Source::solution ? project_.solution(part) : file_of(part);
    return relative_to(file, project_.source).string();
}

std::string GradedFiles::others_from() const {
    if (request_.source == Source::mine) {
        return "worked solutions of the other parts; a step is graded on the worked steps before it";
    }
    std::vector<std::string> others;
    for (const Part& other : project_.parts()) {
        if (!(other == part_)) {
            others.push_back(name_of(other));
        }
    }
    return joined(others, ", ");
}

std::vector<Part> GradedFiles::learners_parts() const {
    if (request_.source == Source::solution) {
        return {};
    }
    if (request_.source == Source::mine) {
        return {part_};
    }
    std::vector<Part> parts = project_.parts();
    if (part_.is_follow_up) {
        parts.push_back(part_);
    }
    return parts;
}

fs::path GradedFiles::file_of(const Part& part) const {
    return request_.file ? fs::absolute(*request_.file).lexically_normal() : project_.exercise(part);
}

std::vector<NamedFile> GradedFiles::learners_files() const {
    std::vector<NamedFile> files;
    for (const Part& part : learners_parts()) {
        files.push_back({file_of(part), name_of(part)});
    }
    return files;
}

std::string GradedFiles::build_name(const Part& part) const {
    return (request_.file ? "submission_" : "mine_") + part.name;
}

std::string GradedFiles::program_name(const std::string& step) const {
    switch (request_.source) {
        case Source::all_mine: return part_.is_follow_up ? "all_mine_" + part_.name : "all_mine";
        case Source::solution: return "solutions";
        case Source::mine: break;
    }
    return (request_.file ? "submission_" : "mine_") + step;
}

std::vector<std::string> GradedFiles::targets() const {
    std::vector<std::string> targets;
    for (const auto& [step, title] : project_.step_titles(part_)) {
        const std::string program = program_name(step);
        if (request_.grades(step) && std::ranges::find(targets, program) == targets.end()) {
            targets.push_back(program);
        }
    }
    return targets;
}

fs::path GradedFiles::program(const std::string& step) const {
    return project_.build / "bin" / program_name(step);
}

fs::path GradedFiles::source_of(const Part& part) const {
    return project_.build / "graded" / (build_name(part) + ".cpp");
}

std::string GradedFiles::object_of(const Part& part) const {
    const std::string name = build_name(part);
    return "tests/CMakeFiles/" + name + "_file.dir/__/graded/" + name + ".cpp.o";
}

// git takes what it ignores for worthless: checking out an old version overwrites exercise.cpp.
void GradedFiles::keep_latest(const Part& part) const {
    if (!request_.file && !project_.is_untouched(part)) {
        const fs::path latest = project_.latest(part);
        if (const std::string text = read_file(project_.exercise(part)); read_file(latest) != text) {
            write_atomically(latest, text);
        }
    }
}

void GradedFiles::place() const {
    for (const Part& part : learners_parts()) {
        const fs::path file = file_of(part);
        if (!fs::is_regular_file(file)) {
            throw MissingFile(name_of(part) + " is not there");
        }
        expect_includable(file);
        keep_latest(part);
        // The fingerprint makes the build compile a file with an old time stamp too, such as a restored backup.
        const std::string text =
            fmt::format("#include \"{}\"  // {}\n", file.string(), std::hash<std::string>{}(read_file(file)));
        if (read_file(source_of(part)) != text) {
            write_atomically(source_of(part), text);
        }
    }
}

}  // namespace workbook::app
