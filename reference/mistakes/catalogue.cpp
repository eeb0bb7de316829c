#include "reference/mistakes/catalogue.hpp"

#include <algorithm>
#include <stdexcept>

#include "reference/mistakes/written.hpp"

namespace workbook::mistakes {

namespace {

void add(Way& way, const Choice& choice) {
    Decisions alone;
    choice.take(alone);
    if (alone != Decisions{}) {
        way.wrong.push_back(&choice);
    }
    choice.take(way.decisions);
}

std::vector<Way> ways_of(const WrittenMistake& written) {
    std::vector<Way> ways;
    Way way;
    for (const int place : written.ways) {
        if (place == end_of_way) {
            ways.push_back(way);
            way = {};
        } else {
            add(way, written_choices()[static_cast<std::size_t>(place)]);
        }
    }
    return ways;
}

}  // namespace

const std::vector<Mistake>& catalogue() {
    static const std::vector<Mistake> all = [] {
        std::vector<Mistake> mistakes;
        for (const WrittenMistake& written : written_mistakes()) {
            mistakes.push_back({written.id, written.step, written.title, written.mechanism, written.hides, written.look,
                                ways_of(written)});
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

}  // namespace workbook::mistakes
