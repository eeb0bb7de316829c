/// @file
/// Regular expressions in the grammar of ECMAScript. std::regex takes seconds to compile in every file that uses it, so
/// that one file does it for all.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace workbook::app {

/// What a pattern has found.
struct Match {
    std::size_t position = 0;         ///< where it begins in the text
    std::vector<std::string> groups;  ///< all of it, then what each pair of parentheses holds; empty where unused

    [[nodiscard]] const std::string& operator[](std::size_t group) const { return groups.at(group); }
};

/// A regular expression.
class Pattern {
public:
    /// @throws std::regex_error when it is none
    explicit Pattern(const std::string& expression);

    /// The whole text as a match.
    [[nodiscard]] std::optional<Match> match(const std::string& text) const;

    /// The first match in a text.
    [[nodiscard]] std::optional<Match> search(const std::string& text) const;

    /// All matches in a text that do not overlap, in order.
    [[nodiscard]] std::vector<Match> all(const std::string& text) const;

    /// The text with `format` in place of every match. $1, $2, … stand for groups.
    [[nodiscard]] std::string replaced(const std::string& text, const std::string& format) const;

private:
    struct Expression;
    std::shared_ptr<const Expression> expression_;
};

}  // namespace workbook::app
