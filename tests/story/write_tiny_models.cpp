// write_tiny_models DIR: small model files, for tests of the command and as the beginning of a fuzzer's corpus.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/story/tiny_model.hpp"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: write_tiny_models DIR\n";
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (const auto& [name, type] : {std::pair{"float32.gguf", 0U}, std::pair{"float16.gguf", 1U}}) {
        std::ofstream(folder / name, std::ios::binary) << workbook::story::tiny_model(type).file();
    }
    return 0;
}
