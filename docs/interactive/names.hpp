/// @file
/// Decisions by name, as the explorer's scripts take them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "reference/mistakes/catalogue.hpp"

namespace workbook::docs {

/// The decisions of a way that are not right, such as {"mask": "none"}.
[[nodiscard]] inline nlohmann::ordered_json names_of(const mistakes::Way& way) {
    nlohmann::ordered_json names = nlohmann::ordered_json::object();
    for (const mistakes::Choice* choice : way.wrong) {
        names[std::string(choice->decision)] = choice->choice;
    }
    return names;
}

}  // namespace workbook::docs
