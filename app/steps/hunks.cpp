#include "app/steps/hunks.hpp"

#include <algorithm>

namespace workbook::steps {

namespace {

// Of the lines behind i and j, how many have a counterpart in their order.
class CommonLines {
public:
    CommonLines(const Lines& from, const Lines& to) : width_(to.size() + 1), counts_((from.size() + 1) * width_) {
        for (std::size_t i = from.size(); i-- > 0;) {
            for (std::size_t j = to.size(); j-- > 0;) {
                counts_[i * width_ + j] =
                    from[i] == to[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
            }
        }
    }
    [[nodiscard]] unsigned at(std::size_t i, std::size_t j) const { return counts_[i * width_ + j]; }

private:
    std::size_t width_;
    std::vector<unsigned> counts_;
};

}  // namespace

std::vector<Hunk> hunks_between(const Lines& from, const Lines& to) {
    const CommonLines common(from, to);
    std::vector<Hunk> hunks;
    Hunk open;
    const auto close = [&](std::size_t i) {
        if (open.begin < i || !open.lines.empty()) {
            open.end = i;
            hunks.push_back(open);
        }
    };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < from.size() || j < to.size()) {
        if (i < from.size() && j < to.size() && from[i] == to[j]) {
            close(i);
            ++i;
            ++j;
            open = {i, i, {}};
        } else if (j == to.size() || (i < from.size() && common.at(i + 1, j) >= common.at(i, j + 1))) {
            ++i;
        } else {
            open.lines.push_back(to[j++]);
        }
    }
    close(i);
    return hunks;
}

bool collide(const Hunk& one, const Hunk& other) {
    if (one.is_insertion() || other.is_insertion()) {
        const Hunk& point = one.is_insertion() ? one : other;
        const Hunk& range = one.is_insertion() ? other : one;
        return range.begin < point.begin && point.begin < range.end;
    }
    return std::max(one.begin, other.begin) < std::min(one.end, other.end);
}

Lines applied(const Lines& base, const std::vector<Hunk>& hunks) {
    Lines lines;
    std::size_t at = 0;
    const auto copy_to = [&](std::size_t end) {
        for (; at < end; ++at) {
            lines.push_back(base[at]);
        }
    };
    for (const Hunk& hunk : hunks) {
        copy_to(hunk.begin);
        lines.insert(lines.end(), hunk.lines.begin(), hunk.lines.end());
        at = std::max(at, hunk.end);
    }
    copy_to(base.size());
    return lines;
}

}  // namespace workbook::steps
