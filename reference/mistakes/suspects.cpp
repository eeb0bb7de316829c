#include "reference/mistakes/suspects.hpp"

#include <algorithm>

namespace workbook::mistakes {

namespace {

constexpr char sign = '+';

}  // namespace

std::string pair_of(const std::string& one, const std::string& other) {
    return std::min(one, other) + sign + std::max(one, other);
}

std::vector<const Mistake*> mistakes_in(const std::string& suspect) {
    const std::size_t end = suspect.find(sign);
    if (end == std::string::npos) {
        return {&find(suspect)};
    }
    return {&find(suspect.substr(0, end)), &find(suspect.substr(end + 1))};
}

bool is_streaming(const Way& way) {
    return way.decisions.streaming != Streaming::right;
}

Way both(const Way& one, const Way& other) {
    Way way = one;
    for (const Choice* choice : other.wrong) {
        const auto taken = std::ranges::find(one.wrong, choice->decision, &Choice::decision);
        if (taken == one.wrong.end()) {
            choice->take(way.decisions);
            way.wrong.push_back(choice);
        } else if (*taken != choice) {
            return {};
        }
    }
    return way;
}

std::vector<Way> ways_of(const std::string& suspect) {
    const std::vector<const Mistake*> made = mistakes_in(suspect);
    if (made.size() == 1) {
        return made.front()->ways;
    }
    std::vector<Way> ways;
    for (const Way& one : made.front()->ways) {
        for (const Way& other : made.back()->ways) {
            if (Way way = both(one, other); !way.wrong.empty()) {
                ways.push_back(std::move(way));
            }
        }
    }
    return ways;
}

}  // namespace workbook::mistakes
