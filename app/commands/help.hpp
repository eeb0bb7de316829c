/// @file
/// The help texts of all commands, from the files of the commands.
#pragma once

#include <filesystem>
#include <string>

namespace workbook::app {

/// The hidden option that prints help_text().
inline constexpr const char* write_help_option = "--write-help";

/// What app/commands/help.txt has to hold: sections that begin with a line `@ NAME TARGET`, the first of them the page
/// of ./workbook help. The launcher prints a section, or builds the target and hands over to this program; the target
/// of a shell script is `-`.
///
/// A shell script describes itself in lines `#: summary …`, `#: arguments …`, `#: place …` and
/// `#: option --name | what it does`.
/// @param source  the checkout's folder
[[nodiscard]] std::string help_text(const std::filesystem::path& source);

}  // namespace workbook::app
