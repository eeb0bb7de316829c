/// @file
/// What may be behind wrong answers: one mistake, or two that are made in the same step.
#pragma once

#include <string>
#include <vector>

#include "reference/mistakes/catalogue.hpp"

namespace workbook::mistakes {

/// Two mistakes at once, as one suspect: "mask_strict+scale_missing".
[[nodiscard]] std::string pair_of(const std::string& one, const std::string& other);

/// The mistakes that a suspect stands for, one or two.
/// @throws std::out_of_range when there is no such mistake
[[nodiscard]] std::vector<const Mistake*> mistakes_in(const std::string& suspect);

/// Whether it is a way that only a pass over tiles of keys can go.
[[nodiscard]] bool is_streaming(const Way& way);

/// Both ways at once.
/// @return a way that makes no mistake when they take the same decision differently
[[nodiscard]] Way both(const Way& one, const Way& other);

/// The ways to make all mistakes of a suspect at once.
[[nodiscard]] std::vector<Way> ways_of(const std::string& suspect);

}  // namespace workbook::mistakes
