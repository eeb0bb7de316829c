// steps skeleton SOLUTION OUTPUT        writes the learner's skeleton
// steps stand-in SOLUTION OUTPUT        writes what stands in for functions that a learner's file lacks
// steps only STEP SOLUTION OUTPUT       writes the functions of one step
// steps exercises FOLDER                makes the exercises that a checkout lacks
// steps update FOLDER                   brings those up to date that are there, and says what it did
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/base/text.hpp"
#include "app/steps/exercises/exercises.hpp"
#include "app/steps/steps.hpp"

namespace {

namespace app = workbook::app;
namespace steps = workbook::steps;

using Arguments = std::vector<std::string>;

void update(const app::Project& project) {
    const Arguments done = app::update_exercises(project);
    for (const std::string& paragraph : done) {
        std::cout << app::wrapped(paragraph, "");
    }
    if (done.empty()) {
        std::cout << "Your files are up to date.\n";
    }
}

// False when there is no such command.
bool run(const Arguments& words) {
    const std::string command = words.empty() ? "" : words.front();
    if (command == "skeleton" && words.size() == 3) {
        app::write_atomically(words[2], steps::skeleton_of(app::read_file(words[1])));
    } else if (command == "stand-in" && words.size() == 3) {
        app::write_atomically(words[2], steps::stand_in_of(app::read_file(words[1])));
    } else if (command == "only" && words.size() == 4) {
        app::write_atomically(words[3], steps::only_steps(app::read_file(words[2]), {words[1]}, words[2]));
    } else if (command == "exercises" && words.size() == 2) {
        static_cast<void>(app::make_missing_exercises({words[1], ""}));
    } else if (command == "update" && words.size() == 2) {
        update({words[1], ""});
    } else {
        return false;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments words(argv + 1, argv + argc);
    try {
        if (run(words)) {
            return 0;
        }
        std::cerr << "usage: steps skeleton SOLUTION OUTPUT | stand-in SOLUTION OUTPUT | only STEP SOLUTION OUTPUT |\n"
                     "       exercises FOLDER | update FOLDER\n";
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "steps " << app::joined(words, " ") << ": " << error.what() << "\n";
        return 1;
    }
}
