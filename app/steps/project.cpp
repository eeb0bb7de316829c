#include "app/steps/project.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/files.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<Part> parts_in(const json& list, bool are_follow_ups) {
    std::vector<Part> parts;
    for (const json& entry : list) {
        parts.push_back({entry.at("name"), entry.at("folder"), entry.at("tests"), entry.at("title"), are_follow_ups,
                         entry.value("formerly", "")});
    }
    return parts;
}

}  // namespace

std::string Part::label() const {
    return (is_follow_up ? "Follow-up " : "Part ") + name;
}

Project::Project(fs::path source_dir, fs::path build_dir)
    : source(std::move(source_dir)), build(std::move(build_dir)), solutions(build / "bin" / "solutions") {
    try {
        const json table = json::parse(read_file(source / "parts.json"));
        parts_ = parts_in(table.at("parts"), false);
        follow_ups_ = parts_in(table.at("follow_ups"), true);
    } catch (const json::exception& error) {
        throw std::runtime_error((source / "parts.json").string() + " cannot be read: " + error.what());
    }
}

std::vector<Part> Project::all() const {
    std::vector<Part> all = parts_;
    all.insert(all.end(), follow_ups_.begin(), follow_ups_.end());
    return all;
}

void Project::refuse_former_step(const std::string& name) const {
    const auto found = std::ranges::find(follow_ups_, name, &Part::formerly);
    if (found != follow_ups_.end() && !name.empty()) {
        throw UnknownName("Step " + name + " is now the follow-up " + found->name + ", step " + found->name +
                          ".1:\n  ./workbook start " + found->name);
    }
}

const Part& Project::part(const std::string& name) const {
    for (const std::vector<Part>* list : {&parts_, &follow_ups_}) {
        const auto found = std::ranges::find(*list, name, &Part::name);
        if (found != list->end()) {
            return *found;
        }
    }
    std::string names;
    for (const Part& part : all()) {
        names += "\n  " + part.name + "  " + part.title;
    }
    refuse_former_step(name);
    throw UnknownName("There is no part " + name + ". There are:" + names);
}

const Part& Project::part_of_step(const std::string& step) const {
    std::string steps;
    for (const Part& part : all()) {
        for (const auto& [name, title] : step_titles(part)) {
            if (name == step) {
                return this->part(part.name);
            }
            steps += "\n  " + name + "  " + title;
        }
    }
    refuse_former_step(step);
    throw UnknownName("There is no step " + step + ". The steps are:" + steps);
}

std::string Project::skeleton(const Part& part) const {
    return steps::skeleton_of(read_file(solution(part)));
}

bool Project::is_untouched(const Part& part) const {
    return read_file(exercise(part)) == skeleton(part);
}

std::vector<steps::StepTitle> Project::step_titles(const Part& part) const {
    return steps::titles_of(read_file(solution(part)));
}

std::string part_name_of(const std::string& step) {
    return step.substr(0, step.rfind('.'));
}

}  // namespace workbook::app
