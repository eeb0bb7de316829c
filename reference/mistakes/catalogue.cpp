#include "reference/mistakes/catalogue.hpp"

#include <algorithm>
#include <stdexcept>

namespace workbook::mistakes {

const std::vector<Mistake>& catalogue() {
    static const std::vector<Mistake> all = [] {
        std::vector<Mistake> mistakes = part1_mistakes();
        for (const auto& part : {part2_mistakes(), part3_mistakes()}) {
            mistakes.insert(mistakes.end(), part.begin(), part.end());
        }
        return mistakes;
    }();
    return all;
}

const Mistake& find(std::string_view id) {
    const auto found = std::ranges::find(catalogue(), id, &Mistake::id);
    if (found == catalogue().end()) {
        throw std::out_of_range("there is no mistake " + std::string(id));
    }
    return *found;
}

Change both(Change first, Change second) {
    return [first = std::move(first), second = std::move(second)](Decisions& decisions) {
        first(decisions);
        second(decisions);
    };
}

}  // namespace workbook::mistakes
