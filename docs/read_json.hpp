/// @file
/// What the pages and their pictures are made from: files that measurements have written.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace workbook {

/// @throws std::runtime_error when the file cannot be read
[[nodiscard]] inline nlohmann::json read_json(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot read " + path);
    }
    return nlohmann::json::parse(file);
}

}  // namespace workbook
