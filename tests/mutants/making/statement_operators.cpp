// Operators that change statements as a whole.
#include <algorithm>

#include "tests/mutants/making/operators.hpp"

namespace workbook::mutants {

namespace {

bool leaves(const Statement& statement) {
    return statement.first_word == "return" || statement.first_word == "throw" || statement.first_word == "break" ||
           statement.first_word == "continue";
}

// "out" when the last statement is `return out;`.
std::string returned_variable(const std::string& body, const std::vector<Statement>& statements) {
    const std::string last = statements.empty() ? "" : statements.back().piece.in(body);
    const std::string word = "return ";
    if (!last.starts_with(word)) {
        return "";
    }
    return last.substr(word.size(), last.size() - word.size() - 1);
}

// Loops that end before their last pass, and after their first.
void end_loops(const std::string& body, std::vector<Change>& changes) {
    const std::vector<Token> tokens = tokens_of(body);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].text != "for") {
            continue;
        }
        const std::size_t header_end = closing(tokens, i + 1);
        for (std::size_t j = i; j < header_end; ++j) {
            if (tokens[j].text == "<" && tokens[j].is_binary) {
                changes.push_back({"early end", {tokens[j].begin, tokens[j].end()}, "+ 1 <"});
            }
        }
        if (header_end + 1 < tokens.size() && tokens[header_end + 1].text == "{") {
            const std::size_t end = tokens[closing(tokens, header_end + 1) - 1].end();
            changes.push_back({"early end", {end, end}, " break;"});
        }
    }
}

}  // namespace

std::vector<Change> dropped_statements(const std::string& body) {
    std::vector<Change> changes;
    for (const Statement& statement : statements_of(body)) {
        if (!leaves(statement) && statement.declared.empty()) {
            changes.push_back({"dropped statement", statement.piece, ";"});
        }
    }
    return changes;
}

std::vector<Change> early_ends(const std::string& body) {
    std::vector<Change> changes;
    end_loops(body, changes);
    const std::vector<Statement> statements = statements_of(body);
    const std::string variable = returned_variable(body, statements);
    for (std::size_t i = 0; i + 2 < statements.size(); ++i) {
        const bool is_declared =
            std::ranges::any_of(statements.begin(), statements.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                [&](const Statement& statement) { return statement.declared == variable; });
        if (!variable.empty() && is_declared) {
            const std::size_t end = statements[i].piece.end;
            changes.push_back({"early end", {end, end}, " return " + variable + ";"});
        }
    }
    return changes;
}

std::vector<Change> static_variables(const std::string& body) {
    std::vector<Change> changes;
    for (const Statement& statement : statements_of(body)) {
        const std::string text = statement.piece.in(body);
        if (!statement.declared.empty() && !text.starts_with("constexpr")) {
            changes.push_back({"static", {statement.piece.begin, statement.piece.begin}, "static "});
        }
    }
    return changes;
}

}  // namespace workbook::mutants
