/// @file
/// Reads C++ as far as it takes to find functions in a learner's file, whether it compiles or not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workbook::steps {

/// The text with spaces in place of comments, of what stands in quotes, and of preprocessor lines. As long as the text,
/// with the same lines.
[[nodiscard]] std::string code_of(const std::string& text);

/// Something declared or defined in a namespace: a function, a class, a constant.
struct Item {
    std::size_t begin = 0;  ///< where its text begins
    std::size_t end = 0;    ///< behind its last character
    std::string name;       ///< of a function, without namespaces of the workbook: "KVCache::append"; empty otherwise
    std::string signature;  ///< of a function: what stands in front of its body, in one line
    bool has_body = false;
};

/// The items of a text, in order. Where braces do not pair up, an item may hold others.
[[nodiscard]] std::vector<Item> items_of(const std::string& text);

/// A name without the namespaces in front of it; they have small letters, and classes have not:
/// "workbook::KVCache::reset" is "KVCache::reset".
[[nodiscard]] std::string without_namespaces(const std::string& name);

/// The parameters in a signature, without spaces: "(constMatrix&scores)".
[[nodiscard]] std::string parameters_of(const std::string& signature);

/// The number of a line, from 1, by a place in the text.
[[nodiscard]] std::size_t line_at(const std::string& text, std::size_t place);

/// A function that a learner writes.
struct StepFunction {
    std::string step;       ///< "2.1"
    std::string name;       ///< "KVCache::append"
    std::string signature;  ///< "void KVCache::append(const Tensor<4>& k, …)"
};

/// The functions of all steps, from the learner's skeleton.
[[nodiscard]] std::vector<StepFunction> step_functions_of(const std::string& skeleton);

}  // namespace workbook::steps
