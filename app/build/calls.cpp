#include "app/build/calls.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "app/base/files.hpp"
#include "app/base/pattern.hpp"
#include "app/base/system/process.hpp"
#include "app/base/text.hpp"
#include "app/steps/source_text.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

// A function of a later part.
struct LaterFunction {
    std::string symbol;
    std::string part;
};

// The functions that a part's worked solution defines.
std::vector<LaterFunction> functions_of(const Project& project, const Part& part) {
    const fs::path object =
        project.build / fmt::format("tests/CMakeFiles/solution_{}.dir/__/{}.o", part.name, part.solution());
    std::vector<LaterFunction> functions;
    for (const std::string& line : lines_of(everything_printed_by({"nm", "--extern-only", "--defined-only", object}))) {
        std::istringstream fields(line);  // "0000000000000010 T _ZN8workbook13attend_groups…"
        std::string address;
        std::string kind;
        std::string symbol;
        if (fields >> address >> kind >> symbol && kind == "T") {
            functions.push_back({symbol, part.label()});
        }
    }
    return functions;
}

// Those of the parts behind one that an object mentions. A follow-up has all parts before it.
std::vector<LaterFunction> later_functions_in(const fs::path& object, const Project& project, const Part& part) {
    const std::string names = read_file(object);
    std::vector<LaterFunction> found;
    bool is_later = false;
    for (const Part& other : project.parts()) {
        for (const LaterFunction& function : is_later ? functions_of(project, other) : std::vector<LaterFunction>()) {
            if (names.find(function.symbol) != std::string::npos) {
                found.push_back(function);
            }
        }
        is_later = is_later || other == part;
    }
    return found;
}

// ".text._ZN…" and ".text.unlikely._ZN…" are the function's, "sqrt-0x0000000000000004" is sqrt.
std::string without_place(const std::string& name) {
    static const Pattern pattern(R"(^(?:\.text\.(?:unlikely\.|startup\.|hot\.)?(?=.))?(.*?)(?:[-+]0x[0-9a-f]+)?$)");
    const auto match = pattern.match(name);
    return match ? (*match)[1] : name;
}

// What a step's function refers to. What runs before main may leave a pointer to anything for any step.
std::set<std::string> reached_by(const std::string& function, const References& references) {
    std::set<std::string> all;
    for (const auto& [section, direct] : references) {
        const bool runs_at_start = section.starts_with("_GLOBAL__") || section.starts_with(".init_array");
        if (runs_at_start || function_of(section) == function) {
            all.merge(reached_from(references, section));
        }
    }
    return all;
}

}  // namespace

References references_in(const std::string& listing) {
    constexpr const char* heading = "RELOCATION RECORDS FOR [";
    References references;
    std::set<std::string>* of_section = nullptr;
    for (const std::string& line : lines_of(listing)) {
        if (line.starts_with(heading)) {
            const std::size_t begin = std::string_view(heading).size();
            of_section = &references[without_place(line.substr(begin, line.rfind(']') - begin))];
            continue;
        }
        std::istringstream fields(line);  // "00000000000010af R_X86_64_PLT32  _ZN8workbook11attend_headE…-0x04"
        std::string offset;
        std::string kind;
        std::string name;
        if (of_section != nullptr && fields >> offset >> kind >> name && kind.starts_with("R_")) {
            of_section->insert(without_place(name));
        }
    }
    return references;
}

std::set<std::string> reached_from(const References& references, const std::string& start) {
    std::set<std::string> reached;
    std::vector<std::string> to_follow{start};
    while (!to_follow.empty()) {
        const auto found = references.find(to_follow.back());
        to_follow.pop_back();
        if (found == references.end()) {
            continue;
        }
        for (const std::string& name : found->second) {
            if (reached.insert(name).second) {
                to_follow.push_back(name);
            }
        }
    }
    return reached;
}

std::string function_of(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    const std::string name = status == 0 ? demangled.get() : symbol;
    return steps::without_namespaces(name.substr(0, name.find('(')));
}

std::vector<BorrowedStep> borrowed_steps(const Project& project, const GradedFiles& files) {
    const fs::path object = project.build / files.object_of(files.part());
    const std::vector<LaterFunction> later = files.is_linked_with_worked()
                                                 ? later_functions_in(object, project, files.part())
                                                 : std::vector<LaterFunction>();
    if (later.empty()) {
        return {};
    }
    const References references = references_in(everything_printed_by({"objdump", "-r", object}));
    std::vector<BorrowedStep> borrowed;
    for (const steps::StepFunction& own : steps::step_functions_of(project.skeleton(files.part()))) {
        const std::set<std::string> reached = reached_by(own.name, references);
        const auto found = std::ranges::find_if(
            later, [&](const LaterFunction& function) { return reached.contains(function.symbol); });
        if (found != later.end()) {
            borrowed.push_back({own.step, function_of(found->symbol), found->part});
        }
    }
    return borrowed;
}

}  // namespace workbook::app
