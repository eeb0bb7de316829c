// steps skeleton SOLUTION OUTPUT        writes the learner's skeleton
// steps stand-in SOLUTION OUTPUT        writes what stands in for functions that a learner's file lacks
// steps only STEP SOLUTION OUTPUT       writes the functions of one step
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "app/steps/steps.hpp"

namespace {

std::string derived(const std::vector<std::string>& arguments, const std::string& solution) {
    const std::string text = workbook::app::read_file(solution);
    if (arguments[0] == "only") {
        return workbook::steps::only_step(text, arguments[1], solution);
    }
    return arguments[0] == "skeleton" ? workbook::steps::skeleton_of(text) : workbook::steps::stand_in_of(text);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool wants_file = arguments.size() == 3 && (arguments[0] == "skeleton" || arguments[0] == "stand-in");
    const bool wants_step = arguments.size() == 4 && arguments[0] == "only";
    if (!wants_file && !wants_step) {
        std::cerr << "usage: steps skeleton|stand-in SOLUTION OUTPUT\n       steps only STEP SOLUTION OUTPUT\n";
        return 2;
    }
    const std::string& solution = arguments[wants_step ? 2 : 1];
    try {
        workbook::app::write_atomically(arguments.back(), derived(arguments, solution));
    } catch (const std::exception& error) {
        std::cerr << solution << ": " << error.what() << "\n";
        return 1;
    }
    return 0;
}
