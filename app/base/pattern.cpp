#include "app/base/pattern.hpp"

#include <regex>

namespace workbook::app {

struct Pattern::Expression {
    std::regex regex;
};

namespace {

Match match_of(const std::smatch& found) {
    Match match{static_cast<std::size_t>(found.position()), {}};
    for (const std::ssub_match& group : found) {
        match.groups.push_back(group);
    }
    return match;
}

}  // namespace

Pattern::Pattern(const std::string& expression)
    : expression_(std::make_shared<const Expression>(Expression{std::regex(expression)})) {
}

std::optional<Match> Pattern::match(const std::string& text) const {
    std::smatch found;
    return std::regex_match(text, found, expression_->regex) ? std::optional(match_of(found)) : std::nullopt;
}

std::optional<Match> Pattern::search(const std::string& text) const {
    std::smatch found;
    return std::regex_search(text, found, expression_->regex) ? std::optional(match_of(found)) : std::nullopt;
}

std::vector<Match> Pattern::all(const std::string& text) const {
    std::vector<Match> matches;
    for (std::sregex_iterator at(text.begin(), text.end(), expression_->regex); at != std::sregex_iterator(); ++at) {
        matches.push_back(match_of(*at));
    }
    return matches;
}

std::string Pattern::replaced(const std::string& text, const std::string& format) const {
    return std::regex_replace(text, expression_->regex, format);
}

}  // namespace workbook::app
