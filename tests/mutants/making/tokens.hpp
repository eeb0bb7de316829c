/// @file
/// C++ as a row of tokens: as much of it as it takes to change a function in one place.
///
/// What is changed is formatted by clang-format, which tells a comparison from a template's bracket, and a product from
/// a pointer: binary operators have spaces around them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workbook::mutants {

/// A word, a number or an operator.
struct Token {
    std::size_t begin = 0;  ///< where it is in the text
    std::string text;
    bool is_binary = false;  ///< an operator with a space before and behind it

    [[nodiscard]] std::size_t end() const { return begin + text.size(); }
    [[nodiscard]] bool is_word() const;
    [[nodiscard]] bool is_whole_number() const;
};

/// The tokens of a text; comments, what stands in quotes, and preprocessor lines are left out.
[[nodiscard]] std::vector<Token> tokens_of(const std::string& text);

/// The token that closes the bracket which a token opens.
/// @return tokens.size() when there is none
[[nodiscard]] std::size_t closing(const std::vector<Token>& tokens, std::size_t opening);

/// A piece of a text.
struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] std::string in(const std::string& text) const { return text.substr(begin, end - begin); }
};

/// What stands between the commas of a pair of brackets.
[[nodiscard]] std::vector<Piece> arguments_of(const std::vector<Token>& tokens, std::size_t opening);

/// A statement that ends with a semicolon, without those inside of it.
struct Statement {
    Piece piece;             ///< with its semicolon
    std::size_t depth = 0;   ///< braces around it, those of the function not counted
    std::string first_word;  ///< "return"; empty when it does not start with one
    std::string declared;    ///< the name that it declares; empty when it is no declaration
};

/// The statements of a function's body in order, the headers of loops and branches left out.
/// @param body  what stands between the function's braces
[[nodiscard]] std::vector<Statement> statements_of(const std::string& body);

}  // namespace workbook::mutants
