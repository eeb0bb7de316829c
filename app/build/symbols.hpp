/// @file
/// What a compiled answer defines for the whole program.
#pragma once

#include <filesystem>
#include <string>

namespace workbook::app {

/// Names that an object file defines and that belong to the system's libraries, to the tests or to memory management:
/// the tests, the oracle and the harness would then use the answer's. "sqrt, operator new"; empty when there are none,
/// or when the system has no nm.
[[nodiscard]] std::string foreign_definitions(const std::filesystem::path& object);

/// The same, of what nm printed.
[[nodiscard]] std::string foreign_definitions_in(const std::string& listing);

}  // namespace workbook::app
