#include "app/commands/command.hpp"

#include <algorithm>

namespace workbook::app {

namespace {

std::vector<Command>& registered() {
    static std::vector<Command> commands;
    return commands;
}

}  // namespace

std::vector<Command> commands() {
    std::vector<Command> all = registered();
    std::ranges::sort(all, {}, &Command::place);
    return all;
}

bool register_command(Command command) {
    registered().push_back(std::move(command));
    return true;
}

std::optional<Command> command_named(const std::string& name) {
    const auto found = std::ranges::find(registered(), name, &Command::name);
    return found == registered().end() ? std::nullopt : std::optional(*found);
}

Chosen chosen(const Project& project, const std::string& name) {
    if (name.find('.') == std::string::npos) {
        return {project.part(name), {}};
    }
    return {project.part_of_step(name), {name}};
}

int run_command(const Command& command, const Project& project, const std::vector<std::string>& words) {
    CLI::App options(command.summary, "./workbook " + command.name);
    const auto body = command.describe(options);
    options.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return body({project, words});
}

CLI::Option* add_part(CLI::App& options, std::string& part, const std::string& description) {
    return options.add_option("PART", part, description);
}

}  // namespace workbook::app
