#include "tests/mutants/making/operators.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace workbook::mutants {

namespace {

using Words = std::map<std::string, std::vector<std::string>>;

std::string in_one_line(const std::string& text) {
    const std::string line = std::regex_replace(text, std::regex(R"(\s+)"), " ");
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(' ') + 1 - first);
}

Piece lines_around(const Piece& piece, const std::string& body) {
    const std::size_t before = piece.begin == 0 ? std::string::npos : body.rfind('\n', piece.begin - 1);
    const std::size_t end = std::min(body.find('\n', std::max(piece.end, piece.begin + 1) - 1), body.size());
    return {before == std::string::npos ? 0 : before + 1, std::max(end, piece.end)};
}

void replace(std::vector<Change>& changes, const char* operation, const Token& token, const std::string& text) {
    changes.push_back({operation, {token.begin, token.end()}, text});
}

// Every token that a table has, replaced by each of what it has for it.
std::vector<Change> replaced_tokens(const std::string& body, const char* operation, const Words& table,
                                    bool binary_only = false) {
    std::vector<Change> changes;
    for (const Token& token : tokens_of(body)) {
        const auto found = table.find(token.text);
        if (found == table.end() || (binary_only && !token.is_binary)) {
            continue;
        }
        for (const std::string& text : found->second) {
            replace(changes, operation, token, text);
        }
    }
    return changes;
}

bool is_keyword(const Token& token) {
    static const std::set<std::string> keywords{"for", "if", "while", "return", "switch"};
    return keywords.contains(token.text);
}

// A bracket of a call or an index.
bool opens_arguments(const std::vector<Token>& tokens, std::size_t i) {
    const bool is_bracket = tokens[i].text == "(" || tokens[i].text == "[" || tokens[i].text == "{";
    return is_bracket && i > 0 && !tokens[i - 1].is_binary &&
           ((tokens[i - 1].is_word() && !is_keyword(tokens[i - 1])) || tokens[i - 1].text == ">" ||
            (tokens[i].text == "{" && tokens[i - 1].text == "("));
}

// The variables of a body's loops.
std::set<std::string> loop_variables(const std::vector<Token>& tokens) {
    std::set<std::string> variables;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].text != "for") {
            continue;
        }
        std::size_t at = i;
        while (at < tokens.size() && tokens[at].text != "=" && tokens[at].text != ":") {
            ++at;
        }
        if (at < tokens.size() && tokens[at].text == "=") {
            variables.insert(tokens[at - 1].text);
        }
    }
    return variables;
}

// Where the condition of a choice begins.
std::size_t condition_before(const std::vector<Token>& tokens, std::size_t question) {
    int depth = 0;
    for (std::size_t i = question; i-- > 0;) {
        const std::string& text = tokens[i].text;
        depth += text == ")" || text == "]" ? 1 : text == "(" || text == "[" ? -1 : 0;
        const bool ends = text == "return" || text == "=" || text == "," || text == ";" || text == "/=";
        if (depth < 0 || (depth == 0 && ends)) {
            return tokens[i + 1].begin;
        }
    }
    return tokens.front().begin;
}

// What no answer depends on: lines that are given and refuse bad input, what messages say, and tables of examples, for
// which there are many right choices.
std::vector<Piece> left_alone(const std::string& body) {
    std::vector<Piece> pieces;
    for (const Statement& statement : statements_of(body)) {
        const bool is_table = statement.piece.in(body).find("{{") != std::string::npos;
        if (statement.first_word.starts_with("expect_") || statement.first_word == "throw" || is_table) {
            pieces.push_back(statement.piece);
        }
    }
    return pieces;
}

}  // namespace

std::string Change::applied(const std::string& body) const {
    return body.substr(0, piece.begin) + text + body.substr(piece.end);
}

std::string Change::line_before(const std::string& body) const {
    return in_one_line(lines_around(piece, body).in(body));
}

std::string Change::line_after(const std::string& body) const {
    const Piece lines = lines_around(piece, body);
    return in_one_line(body.substr(lines.begin, piece.begin - lines.begin) + text +
                       body.substr(piece.end, lines.end - piece.end));
}

std::vector<Change> changed_relations(const std::string& body) {
    static const Words others{{"<", {"<="}}, {"<=", {"<"}},  {">", {">="}},
                              {">=", {">"}}, {"==", {"!="}}, {"!=", {"=="}}};
    return replaced_tokens(body, "relation", others, true);
}

std::vector<Change> changed_conditions(const std::string& body) {
    static const Words others{{"&&", {"||"}}, {"||", {"&&"}}};
    std::vector<Change> changes = replaced_tokens(body, "condition", others);
    const std::vector<Token> tokens = tokens_of(body);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        Piece condition;
        if (tokens[i].text == "if") {
            condition = {tokens[i + 1].end(), tokens[closing(tokens, i + 1)].begin};
        } else if (tokens[i].text == "?") {
            condition = {condition_before(tokens, i), tokens[i - 1].end()};
        } else {
            continue;
        }
        changes.push_back({"condition", condition, "true"});
        changes.push_back({"condition", condition, "false"});
    }
    return changes;
}

std::vector<Change> changed_arithmetic(const std::string& body) {
    static const Words others{{"+", {"-"}},   {"-", {"+"}},        {"*", {"/"}},
                              {"/", {"*"}},   {"%", {"/"}},        {"+=", {"=", "-="}},
                              {"-=", {"+="}}, {"*=", {"=", "/="}}, {"/=", {"=", "*="}}};
    return replaced_tokens(body, "arithmetic", others, true);
}

std::vector<Change> changed_numbers(const std::string& body) {
    std::vector<Change> changes;
    for (const Token& token : tokens_of(body)) {
        if (!token.is_whole_number()) {
            continue;
        }
        const int number = std::stoi(token.text);
        replace(changes, "number", token, std::to_string(number + 1));
        if (number > 0) {
            replace(changes, "number", token, std::to_string(number - 1));
        }
    }
    return changes;
}

std::vector<Change> zeroed_indices(const std::string& body) {
    const std::vector<Token> tokens = tokens_of(body);
    const std::set<std::string> variables = loop_variables(tokens);
    std::set<std::size_t> places;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!opens_arguments(tokens, i)) {
            continue;
        }
        for (std::size_t j = i; j < closing(tokens, i); ++j) {
            if (variables.contains(tokens[j].text)) {
                places.insert(j);
            }
        }
    }
    std::vector<Change> changes;
    for (const std::size_t place : places) {
        replace(changes, "index", tokens[place], "0");
    }
    return changes;
}

std::vector<Change> swapped_arguments(const std::string& body) {
    const std::vector<Token> tokens = tokens_of(body);
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!opens_arguments(tokens, i)) {
            continue;
        }
        const std::vector<Piece> arguments = arguments_of(tokens, i);
        for (std::size_t a = 1; a < arguments.size(); ++a) {
            const Piece& left = arguments[a - 1];
            const Piece& right = arguments[a];
            const std::string between = Piece{left.end, right.begin}.in(body);
            if (left.in(body) != right.in(body)) {
                changes.push_back({"swap", {left.begin, right.end}, right.in(body) + between + left.in(body)});
            }
        }
    }
    return changes;
}

std::vector<Change> swapped_names(const std::string& body) {
    static const Words others{{"k", {"v"}},
                              {"v", {"k"}},
                              {"keys", {"values"}},
                              {"values", {"keys"}},
                              {"keys_", {"values_"}},
                              {"values_", {"keys_"}},
                              {"wq", {"wk"}},
                              {"wk", {"wv"}},
                              {"wv", {"wk"}},
                              {"batch", {"q_len"}},
                              {"q_len", {"batch"}},
                              {"n_heads", {"n_kv_heads"}},
                              {"n_kv_heads", {"n_heads"}}};
    return replaced_tokens(body, "name", others);
}

std::vector<Change> changed_functions(const std::string& body) {
    static const Words others{{"max", {"min"}},      {"min", {"max"}},    {"amax", {"amin"}}, {"exp", {"exp2"}},
                              {"infinity", {"max"}}, {"lowest", {"min"}}, {"sqrt", {"cbrt"}}, {"sum", {"mean"}}};
    return replaced_tokens(body, "function", others);
}

std::vector<Change> floats(const std::string& body) {
    static const Words others{{"Scalar", {"float"}}};
    return replaced_tokens(body, "float", others);
}

std::vector<Change> changes_of(const std::string& body) {
    std::vector<Change> all;
    for (const auto& operation :
         {changed_relations, changed_conditions, changed_arithmetic, changed_numbers, zeroed_indices, swapped_arguments,
          swapped_names, changed_functions, floats, dropped_statements, early_ends, static_variables}) {
        std::ranges::move(operation(body), std::back_inserter(all));
    }
    for (const Piece& piece : left_alone(body)) {
        std::erase_if(all, [&](const Change& change) {
            return piece.begin <= change.piece.begin && change.piece.end <= piece.end;
        });
    }
    return all;
}

}  // namespace workbook::mutants
