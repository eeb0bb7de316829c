/// @file
/// Two mistakes that give a wrong answer together, where none gives it alone.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reference/mistakes/suspects.hpp"
#include "reference/mistakes/values.hpp"

namespace workbook::mistakes {

/// A search among all pairs of mistakes, until its time is up.
class PairSearch {
public:
    /// @param known    mistakes that explain other answers: pairs of them come first
    /// @param step     whose mistakes come next
    /// @param streams  whether answers may come from a pass over tiles
    PairSearch(std::vector<std::string> known, std::string step, bool streams)
        : known_(std::move(known)), step_(std::move(step)), streams_(streams) {}

    /// Pairs that give the answer; none when the time is up before one is found. Only mistakes that change something
    /// by themselves are paired.
    [[nodiscard]] std::set<std::string> that_give(const Values& actual, const Values& expected,
                                                  const Model& model) const;

private:
    std::vector<std::string> known_;
    std::string step_;
    bool streams_;
};

}  // namespace workbook::mistakes
