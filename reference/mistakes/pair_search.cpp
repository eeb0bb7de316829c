#include "reference/mistakes/pair_search.hpp"

#include <algorithm>
#include <ctime>

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

// Processor time, so that a busy machine finds what an idle one does.
bool is_over(std::clock_t begin) {
    constexpr std::clock_t most = 3 * CLOCKS_PER_SEC / 2;
    return std::clock() - begin > most;
}

}  // namespace

// Pairs of what comes early are tried before anything is paired with what comes late.
std::set<std::string> PairSearch::that_give(const Values& actual, const Values& expected, const Model& model) const {
    const std::clock_t begin = std::clock();
    std::vector<Made> made = ways_that_show(expected, model, streams_);
    std::ranges::stable_sort(made, {}, [&](const Made& one) {
        const bool is_known = std::ranges::find(known_, one.mistake->id) != known_.end();
        return is_known ? 0 : one.mistake->step == step_ ? 1 : 2;
    });
    std::set<std::string> found;
    for (std::size_t j = 1; j < made.size(); ++j) {
        for (std::size_t i = 0; i < j && !is_over(begin); ++i) {
            const Way way = both(*made[i].way, *made[j].way);
            if (made[i].mistake != made[j].mistake && !way.wrong.empty() && gives(way, actual, model)) {
                found.insert(pair_of(made[i].mistake->id, made[j].mistake->id));
            }
        }
    }
    return found;
}

}  // namespace workbook::mistakes
