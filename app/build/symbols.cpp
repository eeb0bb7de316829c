#include "app/build/symbols.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "app/base/system/process.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

namespace {

struct Symbol {
    char kind = ' ';  // as nm says it: T for a function, W for one that may be in several files, i for an indirect one
    std::string name;
};

bool begins_with_one_of(std::string_view name, const std::vector<std::string_view>& beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// What compilers add by themselves, with and without sanitizers.
bool is_made_by_compiler(std::string_view name) {
    return begins_with_one_of(name, {"DW.ref.", "__odr_asan", "__asan", "__ubsan", "_GLOBAL_", "__clang"});
}

bool is_foreign(const Symbol& symbol) {
    static const std::vector<std::string_view> of_memory{"_Znw", "_Zna", "_Zdl", "_Zda"};
    static const std::vector<std::string_view> of_tests{"_ZN7testing", "_ZN8workbook7grading", "_ZN8workbook9reference",
                                                        "_ZN8workbook8mistakes", "_ZN8workbook3app"};
    // Instances of templates are in several files (W, V, u); an ordinary function of a library's namespace is not an
    // answer's.
    static const std::vector<std::string_view> of_library{"_ZNSt",         "_ZSt",    "_ZNKSt",   "_ZN2xt",
                                                          "_ZNK2xt",       "_ZN3xtl", "_ZNK3xtl", "_ZN8nlohmann",
                                                          "_ZNK8nlohmann", "_ZN3fmt"};
    const bool is_shared = symbol.kind == 'W' || symbol.kind == 'V' || symbol.kind == 'u';
    if (symbol.kind == 'i') {
        return true;
    }
    if (!symbol.name.starts_with("_Z")) {
        return !is_made_by_compiler(symbol.name);
    }
    return begins_with_one_of(symbol.name, of_memory) || begins_with_one_of(symbol.name, of_tests) ||
           (!is_shared && begins_with_one_of(symbol.name, of_library));
}

std::string readable(const std::string& name) {
    if (begins_with_one_of(name, {"_Znw", "_Zna"})) {
        return "operator new";
    }
    if (begins_with_one_of(name, {"_Zdl", "_Zda"})) {
        return "operator delete";
    }
    return name;
}

}  // namespace

std::string foreign_definitions_in(const std::string& listing) {
    std::set<std::string> found;
    for (const std::string& line : lines_of(listing)) {  // "0000000000000010 T sqrt"
        std::istringstream fields(line);
        std::string address;
        Symbol symbol;
        if (fields >> address >> symbol.kind >> symbol.name && is_foreign(symbol)) {
            found.insert(readable(symbol.name));
        }
    }
    return joined({found.begin(), found.end()}, ", ");
}

std::string foreign_definitions(const std::filesystem::path& object) {
    return foreign_definitions_in(everything_printed_by({"nm", "--extern-only", "--defined-only", object.string()}));
}

}  // namespace workbook::app
