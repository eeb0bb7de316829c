/// @file
/// How a command of ./workbook is written: one file in this folder, which registers it.
///
/// A command that works with nothing installed or built is a shell script, NAME.sh, which the launcher runs. Either way
/// its help is written beside it, and ends up in help.txt by way of help_text().
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/steps/project.hpp"

namespace workbook::app {

/// Exit codes, as ./workbook help explains them.
constexpr int all_passed = 0;
constexpr int not_all_passed = 1;
constexpr int wrong_use = 2;
constexpr int broken_workbook = 3;
constexpr int interrupted_by_user = 130;

/// An argument that names nothing, or a command that cannot work here; the message says which and why.
class WrongUse : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What a command is given when it runs.
struct Call {
    Project project;
    std::vector<std::string> words;  ///< the command line behind the command's name
};

/// A command.
struct Command {
    std::string name;       ///< "check"; empty for ./workbook alone
    std::string arguments;  ///< as help shows them: "[PART|all]"
    std::string summary;    ///< what it does, in a line or two: "grade once: a part, or all three"
    int place = 0;          ///< where it stands in ./workbook help
    std::string target;     ///< what has to be built before it runs
    /// Describes its options, and gives what runs it once they are read.
    std::function<std::function<int(const Call&)>(CLI::App& options)> describe;
};

/// All commands, in the order of their places.
[[nodiscard]] std::vector<Command> commands();

/// What a command line names: a part or follow-up, or one step of it.
struct Chosen {
    Part part;
    std::vector<std::string> steps;  ///< the one; empty for all of the part
};

/// @param name  "2", "streaming", "2.3"
/// @throws UnknownName
[[nodiscard]] Chosen chosen(const Project& project, const std::string& name);

/// Adds a command; the return value only serves to run this before main.
bool register_command(Command command);

/// The command of that name; none when there is no such one.
[[nodiscard]] std::optional<Command> command_named(const std::string& name);

/// Reads the words behind a command's name and runs it.
/// @throws CLI::ParseError when the words are not what the command takes, and what the command throws
[[nodiscard]] int run_command(const Command& command, const Project& project, const std::vector<std::string>& words);

/// What add_part says of an argument that `chosen` reads.
inline constexpr const char* part_or_step = "a part or follow-up, or a step such as 2.3";

/// A part's name, checked when it is used: "1", "streaming".
CLI::Option* add_part(CLI::App& options, std::string& part, const std::string& description = "a part or follow-up");

}  // namespace workbook::app
