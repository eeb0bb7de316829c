// steps skeleton SOLUTION OUTPUT        writes the learner's skeleton
// steps only STEP SOLUTION OUTPUT       writes the functions of one step
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "steps.hpp"

namespace {

std::string read(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot read it");
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    if (!file.flush()) {
        throw std::runtime_error("cannot write " + path);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool wants_skeleton = arguments.size() == 3 && arguments[0] == "skeleton";
    const bool wants_step = arguments.size() == 4 && arguments[0] == "only";
    if (!wants_skeleton && !wants_step) {
        std::cerr << "usage: steps skeleton SOLUTION OUTPUT\n       steps only STEP SOLUTION OUTPUT\n";
        return 2;
    }
    const std::string& solution = arguments[wants_step ? 2 : 1];
    try {
        const std::string text = read(solution);
        write(arguments.back(), wants_step ? workbook::steps::only_step(text, arguments[1], solution)
                                           : workbook::steps::skeleton_of(text));
    } catch (const std::exception& error) {
        std::cerr << solution << ": " << error.what() << "\n";
        return 1;
    }
    return 0;
}
