#include "progress.hpp"

#include <array>
#include <ctime>
#include <iostream>

#include "files.hpp"

namespace workbook::grader {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool holds_only(const json& object, bool (json::*is_right)() const) {
    return object.is_object() &&
           std::ranges::all_of(object, [is_right](const json& value) { return (value.*is_right)(); });
}

bool is_part(const json& value) {
    return value.is_number_unsigned() && value >= 1 && value <= 3;
}

// Whether the fields that this version knows are what they have to be. An older file may lack some.
bool is_sound(const json& fields) {
    if (!fields.is_object()) {
        return false;
    }
    const json none = json::object();
    return is_part(fields.value("current_part", json(1U))) && fields.value("carry", json(false)).is_boolean() &&
           holds_only(fields.value("last_hint", none), &json::is_number_unsigned) &&
           holds_only(fields.value("first_passed", none), &json::is_string);
}

}  // namespace

Progress::Progress(const fs::path& source) : path_(source / ".workbook" / "progress.json"), fields_(json::object()) {
    if (!fs::exists(path_)) {
        return;
    }
    json read = json::parse(read_file(path_), nullptr, false);
    if (is_sound(read)) {
        fields_ = std::move(read);
        return;
    }
    fs::rename(path_, path_.string() + ".broken");
    std::cerr << ".workbook/progress.json was damaged; it is progress.json.broken now, and a new one is begun.\n";
}

void Progress::save() const {
    write_atomically(path_, fields_.dump(2) + "\n");
}

int Progress::current_part() const {
    return fields_.value("current_part", 1);
}

bool Progress::carries() const {
    return fields_.value("carry", false);
}

void Progress::start(int part, bool carry) {
    fields_["current_part"] = part;
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

bool Progress::note_passed(const std::vector<StepResult>& steps, const std::string& day) {
    bool noted = false;
    for (const StepResult& step : steps) {
        if (step.passed() && !first_passed(step.step)) {
            fields_["first_passed"][step.step] = day;
            noted = true;
        }
    }
    return noted;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 16> text{};
    (void)std::strftime(text.data(), text.size(), "%Y-%m-%d", &local);
    return text.data();
}

}  // namespace workbook::grader
