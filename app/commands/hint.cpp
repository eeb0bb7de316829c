// ./workbook hint: the next hint of a step.
#include <iostream>
#include <memory>

#include "app/commands/command.hpp"
#include "app/steps/hints.hpp"

namespace workbook::app {

namespace {

const bool hint_is_registered = register_command({
    .name = "hint",
    .arguments = "STEP [NUMBER]",
    .summary = "show the next of a step's three hints, as in hint 1.3",
    .place = 50,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto step = std::make_shared<std::string>();
            const auto number = std::make_shared<int>(0);
            options.add_option("STEP", *step, "a step, such as 1.3")->required();
            options.add_option("NUMBER", *number, "show this hint, 1 to 3, whatever was shown last")
                ->check(CLI::Range(1, 3).description(""));
            return [step, number](const Call& call) {
                std::cout << next_hint(call.project, *step, style_of_output(), *number);
                return all_passed;
            };
        },
});

}  // namespace

}  // namespace workbook::app
