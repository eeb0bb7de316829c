#include "reference/mistakes/markdown.hpp"

#include "app/base/text.hpp"

namespace workbook::mistakes {

namespace {

// Puts lines together to blocks.
class Blocks {
public:
    void take(const std::string& line) {
        ++line_;
        if (is_code_) {
            continue_code(line);
        } else if (line.starts_with("```")) {
            is_code_ = true;
            blocks_.push_back({Block::Kind::code, "", line_ + 1, false});
            goes_on_ = false;
        } else if (line.starts_with("#")) {
            blocks_.push_back({Block::Kind::heading, line, line_});
            goes_on_ = false;
        } else {
            continue_paragraph(line);
        }
    }

    [[nodiscard]] const std::vector<Block>& all() const { return blocks_; }

private:
    void continue_code(const std::string& line) {
        if (line == "```") {
            is_code_ = false;
            blocks_.back().is_closed = true;
        } else {
            blocks_.back().text += line + "\n";
        }
    }

    void continue_paragraph(const std::string& line) {
        if (goes_on_ && !line.empty()) {
            blocks_.back().text += " " + line;
        } else if (!line.empty()) {
            blocks_.push_back({Block::Kind::paragraph, line, line_});
        }
        goes_on_ = !line.empty();
    }

    std::vector<Block> blocks_;
    std::size_t line_ = 0;
    bool is_code_ = false;
    bool goes_on_ = false;  // whether a line of text belongs to the paragraph before it
};

}  // namespace

std::vector<Block> blocks_of(const std::string& text) {
    Blocks blocks;
    for (const std::string& line : app::lines_of(text)) {
        blocks.take(line);
    }
    return blocks.all();
}

std::string without_marks(std::string paragraph) {
    std::erase(paragraph, '`');
    return paragraph;
}

}  // namespace workbook::mistakes
