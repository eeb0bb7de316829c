/// @file
/// Decisions by name, as the explorer knows them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "reference/mistakes/catalogue.hpp"

namespace workbook::docs {

/// The decisions that are not right, such as {"mask": "none"}; nothing when there is one among them that the explorer
/// cannot show, because in the call itself it changes neither what a query looks at nor which heads it reads.
[[nodiscard]] std::optional<nlohmann::ordered_json> names_of(mistakes::Decisions decisions);

/// A mistake of the catalogue with the decisions of those of its models that the explorer shows.
struct Shown {
    const mistakes::Mistake* mistake = nullptr;
    std::vector<mistakes::Decisions> models;
    std::vector<nlohmann::ordered_json> names;
};

/// All mistakes that the explorer shows, in the order of the catalogue.
[[nodiscard]] std::vector<Shown> shown_mistakes();

}  // namespace workbook::docs
