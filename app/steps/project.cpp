#include "app/steps/project.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/files.hpp"
#include "app/steps/steps.hpp"

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
    for (const Part& part : follow_ups_) {
        if (part.formerly == step) {
            throw UnknownName("Step " + step + " is now the follow-up " + part.name + ", step " + part.name +
                              ".1:\n  ./workbook start " + part.name);
        }
    }
    throw UnknownName("There is no step " + step + ". The steps are:" + steps);
}

std::string Project::skeleton(const Part& part) const {
    return steps::skeleton_of(read_file(solution(part)));
}

bool Project::is_untouched(const Part& part) const {
    return read_file(exercise(part)) == skeleton(part);
}

std::map<std::string, std::string> Project::step_titles(const Part& part) const {
    return steps::titles_of(read_file(solution(part)));
}

std::string part_name_of(const std::string& step) {
    return step.substr(0, step.rfind('.'));
}

}  // namespace workbook::app
