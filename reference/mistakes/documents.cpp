#include "reference/mistakes/documents.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <utility>

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "reference/mistakes/markdown.hpp"

namespace workbook::mistakes {

namespace {

namespace fs = std::filesystem;
using Choices = std::vector<NamedChoice>;

// The text and those of the pattern's groups, or nothing when the whole text does not match it.
std::optional<std::vector<std::string>> match_of(const std::string& text, const std::string& pattern) {
    std::smatch match;
    if (!std::regex_match(text, match, std::regex(pattern))) {
        return std::nullopt;
    }
    return std::vector<std::string>(match.begin(), match.end());
}

// The folder that is named like a step.
std::string step_of(const fs::path& file) {
    for (const fs::path& folder : file.parent_path()) {
        if (match_of(folder.string(), "[a-z0-9]+\\.[0-9]+")) {
            return folder.string();
        }
    }
    throw DocumentError(file, 1, "expected a folder named like a step, such as 1.3");
}

// "The mask" as it stands in a sentence; a title that begins with a name in capitals stays.
std::string uncapitalised(std::string title) {
    const bool is_word =
        title.size() > 1 && (title[1] == ' ' || std::islower(static_cast<unsigned char>(title[1])) != 0);
    if (is_word) {
        title.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(title.front())));
    }
    return title;
}

// Reads a document from block to block.
class Reader {
public:
    Reader(const fs::path& file, const std::string& text) : blocks_(blocks_of(text)) {
        document_.file = file;
        document_.id = file.stem().string();
        document_.step = step_of(file);
    }

    Document read() {
        read_title();
        read_figure();
        document_.mechanism = without_marks(paragraph("a paragraph that says what happens").text);
        read_hides();
        document_.look = labelled("**Look for it:** ");
        read_reports();
        read_decisions();
        read_edits();
        return document_;
    }

private:
    // The block that comes next, if it is of this kind and begins like this.
    [[nodiscard]] const Block* next(Block::Kind kind, const std::string& beginning = "") const {
        const bool is_it =
            at_ < blocks_.size() && blocks_[at_].kind == kind && blocks_[at_].text.starts_with(beginning);
        return is_it ? &blocks_[at_] : nullptr;
    }

    [[noreturn]] void fail(const std::string& what) const {
        const std::size_t end = blocks_.empty() ? 1 : blocks_.back().line;
        throw DocumentError(document_.file, at_ < blocks_.size() ? blocks_[at_].line : end, what);
    }

    const Block& paragraph(const std::string& what) {
        const Block* block = next(Block::Kind::paragraph);
        if (block == nullptr || block->text.starts_with("**")) {
            fail("expected " + what);
        }
        ++at_;
        return *block;
    }

    // The rest of a paragraph that begins with a label.
    std::string labelled(const std::string& label) {
        const Block* block = next(Block::Kind::paragraph, label);
        if (block == nullptr) {
            fail("expected a paragraph that begins with " + label);
        }
        ++at_;
        return without_marks(block->text.substr(label.size()));
    }

    std::string code() {
        const Block* block = next(Block::Kind::code);
        if (block == nullptr || !block->is_closed) {
            fail("expected lines between ``` and ```");
        }
        ++at_;
        return block->text;
    }

    void read_title() {
        const std::string anchor = "{#mistake_" + document_.id + "}";
        // Doxygen 1.9.8 reads an anchor behind brackets twice and refuses the second.
        const auto title = match_of(blocks_.empty() ? "" : blocks_.front().text, R"(# ([^\[\]]+) (\{#.+\}))");
        if (!title || (*title)[2] != anchor) {
            fail("expected a title that has no brackets and ends with " + anchor);
        }
        document_.title = uncapitalised(without_marks((*title)[1]));
        ++at_;
    }

    void read_figure() {
        const Block* block = next(Block::Kind::paragraph, "\\htmlinclude");
        if (block == nullptr) {
            return;
        }
        const std::string line = "\\htmlinclude[block] docs/figures/svg/mistake_" + document_.id + ".svg";
        if (block->text != line) {
            fail("expected " + line);
        }
        document_.has_figure = true;
        ++at_;
    }

    void read_hides() {
        document_.hides = labelled("**It hides** ");
        if (!document_.hides.ends_with('.')) {
            --at_;
            fail("expected a full stop at the end");
        }
        document_.hides.pop_back();
    }

    void read_reports() {
        if (next(Block::Kind::paragraph, "**Reported in** ") == nullptr) {
            return;
        }
        const std::string links = labelled("**Reported in** ");
        static const std::regex link(
            R"(\[([\w.-]+/[\w.-]+)#(\d+)\]\(https://github\.com/([\w.-]+/[\w.-]+)/issues/(\d+)\)(, |\.$))");
        std::string read;
        for (std::sregex_iterator match(links.begin(), links.end(), link); match != std::sregex_iterator(); ++match) {
            if ((*match)[1] == (*match)[3] && (*match)[2] == (*match)[4]) {
                document_.reports.push_back((*match)[1].str() + "#" + (*match)[2].str());
                read += match->str();
            }
        }
        if (read != links) {
            --at_;
            fail("expected links [owner/repo#12](https://github.com/owner/repo/issues/12), with commas between them");
        }
    }

    void read_decisions() {
        if (next(Block::Kind::paragraph, "**Outputs do not show it:** ") != nullptr) {
            ++at_;
            return;
        }
        if (next(Block::Kind::heading, "## Decisions") == nullptr) {
            fail("expected ## Decisions, or a paragraph that begins with **Outputs do not show it:**");
        }
        ++at_;
        std::size_t line = at_ < blocks_.size() ? blocks_[at_].line : 0;
        for (const std::string& choices : app::lines_of(code())) {
            const std::vector<Choices> ways = ways_of(choices, line++);
            document_.ways.insert(document_.ways.end(), ways.begin(), ways.end());
        }
    }

    // "a = b | c, d = e" as all of its combinations.
    [[nodiscard]] std::vector<Choices> ways_of(const std::string& choices, std::size_t line) const {
        std::vector<Choices> ways{{}};
        for (const std::string& taken : app::split(choices, ',')) {
            const auto parts = match_of(taken, " *([a-z_]+) = ([^=]+)");
            if (!parts) {
                throw DocumentError(document_.file, line, "expected decisions of the form name = choice, got " + taken);
            }
            std::vector<Choices> longer;
            for (const Choices& way : ways) {
                for (const std::string& choice : app::split((*parts)[2], '|')) {
                    longer.push_back(way);
                    longer.back().push_back({(*parts)[1], choice_in(choice, line), line});
                }
            }
            ways = std::move(longer);
        }
        return ways;
    }

    [[nodiscard]] std::string choice_in(const std::string& text, std::size_t line) const {
        const auto choice = match_of(text, " *([a-z]\\w*|-?[0-9.]+(?:e-?[0-9]+)?) *");
        if (!choice) {
            throw DocumentError(document_.file, line, "expected a name or a number, got " + text);
        }
        return (*choice)[1];
    }

    void read_edits() {
        if (next(Block::Kind::heading, "## Wrong solutions") == nullptr) {
            fail("expected ## Wrong solutions");
        }
        ++at_;
        std::string name = document_.id;
        do {
            if (const Block* heading = next(Block::Kind::heading, "### ")) {
                name = document_.id + "-" + heading->text.substr(4);
                ++at_;
            }
            while (next(Block::Kind::paragraph) != nullptr) {
                ++at_;
            }
            const std::size_t line = at_ < blocks_.size() ? blocks_[at_].line : 0;
            const std::string edit = code();
            if (std::ranges::find(document_.edits, name, &NamedEdit::name) != document_.edits.end()) {
                throw DocumentError(document_.file, line, "a second wrong solution needs a heading, such as ### twice");
            }
            document_.edits.push_back({name, edit, line});
        } while (at_ < blocks_.size());
    }

    std::vector<Block> blocks_;
    std::size_t at_ = 0;
    Document document_;
};

// Steps in their order: parts by name, then the steps of a part by number.
std::pair<std::string, int> order_of(const Document& document) {
    const std::size_t point = document.step.find('.');
    return {document.step.substr(0, point), std::stoi(document.step.substr(point + 1))};
}

}  // namespace

Document parse_document(const fs::path& file, const std::string& text) {
    return Reader(file, text).read();
}

std::vector<Document> read_documents(const fs::path& folder) {
    std::map<std::string, Document> by_id;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".md") {
            continue;
        }
        Document document = parse_document(entry.path(), app::read_file(entry.path()));
        const auto [other, is_new] = by_id.try_emplace(document.id, document);
        if (!is_new) {
            throw DocumentError(entry.path(), 1, other->second.file.string() + " has this name too");
        }
    }
    std::vector<Document> documents;
    documents.reserve(by_id.size());
    for (auto& [id, document] : by_id) {
        documents.push_back(std::move(document));
    }
    std::ranges::stable_sort(documents, {},
                             [](const Document& document) { return std::pair(order_of(document), document.file); });
    return documents;
}

}  // namespace workbook::mistakes
