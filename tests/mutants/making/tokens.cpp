#include "tests/mutants/making/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>

#include "app/steps/source_text.hpp"

namespace workbook::mutants {

namespace {

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t length_at(const std::string& code, std::size_t at) {
    static constexpr std::array<std::string_view, 16> operators{
        "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "++", "--", "->", "::", "<<"};
    if (is_word_character(code[at])) {
        const auto end =
            std::find_if_not(code.begin() + static_cast<std::ptrdiff_t>(at), code.end(), is_word_character);
        return static_cast<std::size_t>(end - code.begin()) - at;
    }
    return std::ranges::find(operators, std::string_view(code).substr(at, 2)) != operators.end() ? 2 : 1;
}

bool opens(const Token& token) {
    return token.text == "(" || token.text == "[" || token.text == "{";
}

bool closes(const Token& token) {
    return token.text == ")" || token.text == "]" || token.text == "}";
}

// "total" in "Scalar total = 0", "const Matrix weights = …".
std::string declared_in(const std::string& statement) {
    static const std::regex declaration(R"(^(?:(?:const|constexpr) )*[\w:]+(?:<.*>)?[&*]? (\w+)(?: =|\(|\{|;))");
    static const std::regex no_declaration("^(?:return|throw|using|delete|else|case) ");
    std::smatch match;
    return !std::regex_search(statement, no_declaration) && std::regex_search(statement, match, declaration)
               ? match[1].str()
               : "";
}

Statement statement(const std::string& body, const Token& first, std::size_t end, std::size_t depth) {
    const Piece piece{first.begin, end};
    return {piece, depth, first.is_word() ? first.text : "", declared_in(piece.in(body))};
}

}  // namespace

bool Token::is_word() const {
    return std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_';
}

bool Token::is_whole_number() const {
    return std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<Token> tokens_of(const std::string& text) {
    const std::string code = steps::code_of(text);
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < code.size();) {
        if (std::isspace(static_cast<unsigned char>(code[at])) != 0) {
            ++at;
            continue;
        }
        const std::size_t length = length_at(code, at);
        const bool spaced = at > 0 && code[at - 1] == ' ' && at + length < code.size() && code[at + length] == ' ';
        tokens.push_back({at, code.substr(at, length), spaced && !is_word_character(code[at])});
        at += length;
    }
    return tokens;
}

std::size_t closing(const std::vector<Token>& tokens, std::size_t opening) {
    int depth = 0;
    for (std::size_t i = opening; i < tokens.size(); ++i) {
        depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
        if (depth == 0) {
            return i;
        }
    }
    return tokens.size();
}

std::vector<Piece> arguments_of(const std::vector<Token>& tokens, std::size_t opening) {
    const std::size_t last = closing(tokens, opening);
    std::vector<Piece> arguments;
    std::size_t first = opening + 1;
    for (std::size_t i = first; i <= last && last < tokens.size(); ++i) {
        if (i < last && opens(tokens[i])) {
            i = closing(tokens, i);
        } else if (i > first && (i == last || tokens[i].text == ",")) {
            arguments.push_back({tokens[first].begin, tokens[i - 1].end()});
            first = i + 1;
        }
    }
    return arguments;
}

std::vector<Statement> statements_of(const std::string& body) {
    const std::vector<Token> tokens = tokens_of(body);
    std::vector<Statement> statements;
    std::size_t first = 0;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string& text = tokens[i].text;
        const bool begins = i == first;
        if (begins && (text == "for" || text == "if" || text == "while")) {
            i = closing(tokens, i + 1);
            first = i + 1;
        } else if (begins && (text == "{" || text == "}" || text == "else")) {
            depth += text == "{" ? 1 : 0;
            depth -= text == "}" ? 1 : 0;
            first = i + 1;
        } else if (opens(tokens[i])) {
            i = closing(tokens, i);
        } else if (text == ";") {
            statements.push_back(statement(body, tokens[first], tokens[i].end(), depth));
            first = i + 1;
        }
    }
    return statements;
}

}  // namespace workbook::mutants
