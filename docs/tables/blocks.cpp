#include "docs/tables/blocks.hpp"

#include <string_view>

namespace workbook::docs {

namespace {

constexpr std::string_view begin_mark = "<!-- computed: ";
constexpr std::string_view name_end = " -->";
constexpr std::string_view end_mark = "<!-- end -->";

// Doxygen drops a space behind a comment, so a page may have it before the mark: it stays where it is.
std::string computed(const std::string& name, const Blocks& blocks, bool space_behind) {
    const auto block = blocks.find(name);
    if (block == blocks.end()) {
        throw MarkError("nothing computes \"" + name + "\"");
    }
    const std::string text = block->second();
    return text.ends_with('\n') ? "\n\n" + text + "\n" : text + (space_behind ? " " : "");  // a table, or a number
}

}  // namespace

std::string filled(const std::string& page, const Blocks& blocks) {
    std::string result;
    std::size_t at = 0;
    for (std::size_t mark = page.find(begin_mark); mark != std::string::npos; mark = page.find(begin_mark, at)) {
        const std::size_t name_at = mark + begin_mark.size();
        const std::size_t text_at = page.find(name_end, name_at);
        const std::size_t end = page.find(end_mark, name_at);
        const std::size_t next = page.find(begin_mark, name_at);
        if (text_at == std::string::npos || end == std::string::npos || end < text_at || next < end) {
            throw MarkError("the mark at \"" + page.substr(mark, 60) + "\" has no end");
        }
        const std::string name = page.substr(name_at, text_at - name_at);
        result += page.substr(at, text_at + name_end.size() - at) + computed(name, blocks, page[end - 1] == ' ');
        at = end;
    }
    return result + page.substr(at);
}

}  // namespace workbook::docs
