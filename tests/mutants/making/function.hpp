/// @file
/// The functions of an answer that are mutated.
#pragma once

#include <string>
#include <vector>

#include "tests/mutants/making/tokens.hpp"

namespace workbook::mutants {

/// A parameter of a function.
struct Parameter {
    std::string type;  ///< "Tensor<4>", without const and &
    std::string name;
    bool is_const = false;
};

/// A function below the heading of a step: one of the step's or a helper.
struct Function {
    std::string step;     ///< "1.3"
    std::string name;     ///< "Attention::forward"
    std::string returns;  ///< "Tensor<3>"
    std::vector<Parameter> parameters;
    Piece body;  ///< between its braces

    [[nodiscard]] bool is_member_of(const std::string& name_of_class) const {
        return name.starts_with(name_of_class + "::");
    }
};

/// The functions of an answer in order.
[[nodiscard]] std::vector<Function> functions_of(const std::string& answer);

}  // namespace workbook::mutants
