#include "reference/mistakes/pair_search.hpp"

#include <algorithm>

namespace workbook::mistakes {

namespace {

struct Made {
    const Mistake* mistake;
    const Way* way;
};

// The ways that change the answer.
std::vector<Made> ways_that_show(const Values& expected, const Model& model, bool streams) {
    std::vector<Made> found;
    for (const Mistake& mistake : catalogue()) {
        for (const Way& way : mistake.ways) {
            if (is_streaming(way) && !streams) {
                continue;
            }
            const std::optional<Values> answer = answer_with(way.decisions, model);
            if (answer && !agrees(expected, *answer)) {
                found.push_back({&mistake, &way});
            }
        }
    }
    return found;
}

bool gives(const Way& way, const Values& actual, const Model& model) {
    const std::optional<Values> answer = answer_with(way.decisions, model);
    return answer && agrees(actual, *answer);
}

}  // namespace

std::set<std::string> PairSearch::that_give(const Values& actual, const Values& expected, const Model& model) const {
    std::vector<Made> made = ways_that_show(expected, model, streams_);
    std::ranges::stable_partition(
        made, [&](const Made& one) { return std::ranges::find(known_, one.mistake->id) != known_.end(); });
    std::set<std::string> found;
    for (std::size_t i = 0; i < made.size(); ++i) {
        for (std::size_t j = i + 1; j < made.size() && Clock::now() < end_; ++j) {
            const Way way = both(*made[i].way, *made[j].way);
            if (made[i].mistake != made[j].mistake && !way.wrong.empty() && gives(way, actual, model)) {
                found.insert(pair_of(made[i].mistake->id, made[j].mistake->id));
            }
        }
    }
    return found;
}

}  // namespace workbook::mistakes
