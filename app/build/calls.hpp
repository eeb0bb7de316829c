/// @file
/// Whether an answer calls worked solutions that it is linked with: those of later parts make an earlier step trivial.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/build/graded_files.hpp"

namespace workbook::app {

/// A step whose answer calls another part's worked solution.
struct BorrowedStep {
    std::string step;      ///< "1.3"
    std::string function;  ///< of the later part: "attend_groups"
    std::string part;      ///< "Part 3"
};

/// The steps of the graded file that call functions of later parts, by themselves or by way of helpers. Earlier parts
/// may be built on. Empty when the later parts are the learner's own, or when the system has no nm and objdump.
[[nodiscard]] std::vector<BorrowedStep> borrowed_steps(const Project& project, const GradedFiles& files);

/// What refers to what in an object file, by the names of its sections and symbols.
using References = std::map<std::string, std::set<std::string>>;

/// Reads what `objdump -r` printed of an object in which every function has a section of its own. A function's section
/// is called as the function.
[[nodiscard]] References references_in(const std::string& listing);

/// Everything that something refers to, directly or not.
[[nodiscard]] std::set<std::string> reached_from(const References& references, const std::string& start);

/// The name of a function as a skeleton has it: "_ZN8workbook8KVCache5resetEv" is "KVCache::reset".
[[nodiscard]] std::string function_of(const std::string& symbol);

}  // namespace workbook::app
