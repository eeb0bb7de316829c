#include "app/steps/progress.hpp"

#include <algorithm>
#include <iostream>

#include "app/base/files.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool holds_only(const json& object, bool (json::*is_right)() const) {
    return object.is_object() &&
           std::ranges::all_of(object, [is_right](const json& value) { return (value.*is_right)(); });
}

// Earlier versions wrote a part's number, 2, where this one writes its name, "2".
std::string name_in(const json& value) {
    return value.is_number_unsigned() ? std::to_string(value.get<unsigned>()) : value.get<std::string>();
}

bool is_part(const json& value, const Project& project) {
    return (value.is_number_unsigned() || value.is_string()) &&
           std::ranges::count(project.all(), name_in(value), &Part::name) == 1;
}

// Whether the fields that this version knows are what they have to be. An older file may lack some.
bool is_sound(const json& fields, const Project& project) {
    if (!fields.is_object()) {
        return false;
    }
    const json none = json::object();
    return is_part(fields.value("current_part", json(project.parts().front().name)), project) &&
           fields.value("carry", json(false)).is_boolean() &&
           holds_only(fields.value("last_hint", none), &json::is_number_unsigned) &&
           holds_only(fields.value("first_passed", none), &json::is_string);
}

}  // namespace

Progress::Progress(const Project& project)
    : path_(project.source / ".workbook" / "progress.json"),
      first_part_(project.parts().front().name),
      fields_(json::object()) {
    if (!fs::exists(path_)) {
        return;
    }
    json read = json::parse(read_file(path_), nullptr, false);
    if (is_sound(read, project)) {
        fields_ = std::move(read);
        rename_steps(project);
        return;
    }
    fs::rename(path_, path_.string() + ".broken");
    std::cerr << ".workbook/progress.json was damaged; it is progress.json.broken now, and a new one was started.\n";
}

// A step that has become a follow-up is known by its new name too.
void Progress::rename_steps(const Project& project) {
    for (const Part& part : project.follow_ups()) {
        for (const char* const list : {"last_hint", "first_passed"}) {
            const json entries = fields_.value(list, json::object());
            if (entries.contains(part.formerly) && !entries.contains(part.name + ".1")) {
                fields_[list][part.name + ".1"] = entries.at(part.formerly);
            }
        }
    }
}

void Progress::save() const {
    write_atomically(path_, fields_.dump(2) + "\n");
}

std::string Progress::current_part() const {
    return fields_.contains("current_part") ? name_in(fields_.at("current_part")) : first_part_;
}

bool Progress::carries() const {
    return fields_.value("carry", false);
}

bool Progress::carries(const Part& part) const {
    return carries() && current_part() == part.name;
}

void Progress::start(const Part& part, bool carry) {
    fields_["current_part"] = part.name;
    fields_["carry"] = carry;
}

int Progress::last_hint(const std::string& step) const {
    return fields_.value("last_hint", json::object()).value(step, 0);
}

void Progress::set_last_hint(const std::string& step, int number) {
    fields_["last_hint"][step] = static_cast<unsigned>(number);
}

std::optional<std::string> Progress::first_passed(const std::string& step) const {
    const json days = fields_.value("first_passed", json::object());
    return days.contains(step) ? std::optional<std::string>(days.at(step)) : std::nullopt;
}

bool Progress::note_passed(const std::vector<std::string>& steps, const std::string& day) {
    bool noted = false;
    for (const std::string& step : steps) {
        if (!first_passed(step)) {
            fields_["first_passed"][step] = day;
            noted = true;
        }
    }
    return noted;
}

}  // namespace workbook::app
