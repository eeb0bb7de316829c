// steps skeleton SOLUTION OUTPUT        writes the learner's skeleton
// steps only STEP SOLUTION OUTPUT       writes the functions of one step
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "app/steps/steps.hpp"

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
        const std::string text = workbook::app::read_file(solution);
        workbook::app::write_atomically(arguments.back(), wants_step
                                                              ? workbook::steps::only_step(text, arguments[1], solution)
                                                              : workbook::steps::skeleton_of(text));
    } catch (const std::exception& error) {
        std::cerr << solution << ": " << error.what() << "\n";
        return 1;
    }
    return 0;
}
