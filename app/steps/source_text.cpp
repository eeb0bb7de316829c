#include "app/steps/source_text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "app/base/pattern.hpp"

namespace workbook::steps {

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The end of what starts at a place: behind the next `closing`, or the end of the text.
std::size_t behind(const std::string& text, const std::string& closing, std::size_t from) {
    const std::size_t at = text.find(closing, from);
    return at == std::string::npos ? text.size() : at + closing.size();
}

// A literal that is not closed ends with its line, as compilers take it.
std::size_t end_of_quoted(const std::string& text, std::size_t begin) {
    std::size_t at = begin + 1;
    while (at < text.size() && text[at] != text[begin] && text[at] != '\n') {
        at += text[at] == '\\' ? 2 : 1;
    }
    return std::min(at < text.size() && text[at] == '\n' ? at : at + 1, text.size());
}

// R"x(…)x"
std::size_t end_of_raw(const std::string& text, std::size_t quote) {
    const std::size_t bracket = text.find('(', quote);
    if (bracket == std::string::npos) {
        return end_of_quoted(text, quote);
    }
    return behind(text, ")" + text.substr(quote + 1, bracket - quote - 1) + "\"", bracket);
}

std::size_t end_of_directive(const std::string& text, std::size_t begin) {
    std::size_t end = text.find('\n', begin);
    while (end != std::string::npos && text[end - 1] == '\\') {
        end = text.find('\n', end + 1);
    }
    return std::min(end, text.size());
}

// Where what is no code ends, when it starts here.
std::optional<std::size_t> end_of_other(const std::string& text, std::size_t at, bool begins_line) {
    const char before = at == 0 ? ' ' : text[at - 1];
    if (text.compare(at, 2, "//") == 0) {
        return std::min(text.find('\n', at), text.size());
    }
    if (text.compare(at, 2, "/*") == 0) {
        return behind(text, "*/", at + 2);
    }
    if (text[at] == '"') {
        return before == 'R' ? end_of_raw(text, at) : end_of_quoted(text, at);
    }
    if (text[at] == '\'' && !is_word(before)) {  // in 1'000 it separates digits
        return end_of_quoted(text, at);
    }
    return text[at] == '#' && begins_line ? std::optional(end_of_directive(text, at)) : std::nullopt;
}

// Without spaces and newlines in a row.
std::string in_one_line(const std::string& text) {
    static const app::Pattern spaces(R"(\s+)");
    std::string line = spaces.replaced(text, " ");
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string name_in(const std::string& head) {
    static const std::set<std::string> not_names{"alignas", "decltype", "noexcept", "requires", "__attribute__",
                                                 "void",    "int",      "bool",     "double"};
    static const app::Pattern name(R"(((?:\w+::)*~?\w+)\s*\()");
    for (const app::Match& match : name.all(head)) {
        if (!not_names.contains(match[1])) {
            return without_namespaces(match[1]);
        }
    }
    return "";
}

// Whether what has that in front of its braces ends with a semicolon behind them: a class, or a variable's value.
bool needs_semicolon(const std::string& head) {
    static const app::Pattern of_class(R"((?:template\b.*|\[\[.*)?\b(?:class|struct|enum|union)\b[^(]*)");
    const bool has_value = head.find('=') < head.find('(') && head.find("operator") == std::string::npos;
    return of_class.match(in_one_line(head)) || (has_value && !head.starts_with("template"));
}

// Follows a text from brace to brace.
class ItemReader {
public:
    explicit ItemReader(const std::string& text) : code_(code_of(text)) {}

    std::vector<Item> read() {
        for (std::size_t at = 0; at < code_.size(); ++at) {
            take(code_[at], at);
        }
        if (is_open_) {
            finish(code_.size());
        }
        return std::move(items_);
    }

private:
    void take(char c, std::size_t at) {
        if (!is_open_) {
            if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == ';' || c == '}') {
                return;  // a lone } closes a namespace
            }
            is_open_ = true;
            begin_ = at;
            body_ = 0;
            depth_ = brackets_ = 0;
        }
        switch (c) {
            case '(': ++brackets_; break;
            case ')': --brackets_; break;
            case '{': open(at); break;
            case '}': close(at); break;
            case ';':
                if (depth_ == 0 && brackets_ <= 0) {
                    finish(at + 1);
                }
                break;
            default: break;
        }
    }

    void open(std::size_t at) {
        static const app::Pattern of_namespace(R"((?:inline\s+)?namespace\b[\w:\s]*|extern\s*)");
        if (depth_ == 0 && body_ == 0 && of_namespace.match(head(at))) {
            is_open_ = false;
            return;
        }
        is_second_body_ = depth_ == 0 && body_ != 0;
        body_ = body_ == 0 ? at : body_;
        ++depth_;
    }

    void close(std::size_t at) {
        if (depth_ == 0) {  // of a namespace: the item's own end is missing
            finish(at);
            return;
        }
        if (--depth_ > 0) {
            return;
        }
        brackets_ = 0;
        // A second pair of braces means that the semicolon behind the first is missing.
        if (is_second_body_ || !needs_semicolon(head(body_))) {
            finish(at + 1);
        }
    }

    void finish(std::size_t end) {
        const std::string declared = head(body_ == 0 ? end : body_);
        items_.push_back({begin_, end, name_in(declared), in_one_line(declared), body_ != 0});
        is_open_ = false;
    }

    // The item's text up to a place; the beginning of it, where it is no ordinary declaration but pages of something.
    [[nodiscard]] std::string head(std::size_t end) const {
        constexpr std::size_t most = 2000;
        return code_.substr(begin_, std::min(end - begin_, most));
    }

    std::string code_;
    std::vector<Item> items_;
    bool is_open_ = false;
    bool is_second_body_ = false;
    std::size_t begin_ = 0;
    std::size_t body_ = 0;  // where the first brace is; 0 before it
    int depth_ = 0;
    int brackets_ = 0;
};

}  // namespace

std::string code_of(const std::string& text) {
    std::string code = text;
    bool begins_line = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::optional<std::size_t> end = end_of_other(text, at, begins_line);
        if (!end) {
            const bool is_space = std::isspace(static_cast<unsigned char>(text[at])) != 0;
            begins_line = text[at] == '\n' || (begins_line && is_space);
            ++at;
            continue;
        }
        for (; at < *end; ++at) {
            code[at] = text[at] == '\n' ? '\n' : ' ';
        }
    }
    return code;
}

std::vector<Item> items_of(const std::string& text) {
    return ItemReader(text).read();
}

std::string without_namespaces(const std::string& name) {
    static const app::Pattern namespaces("^(?:[a-z]\\w*::)+");
    return namespaces.replaced(name, "");
}

std::string parameters_of(const std::string& signature) {
    std::string parameters = signature.substr(std::min(signature.find('('), signature.size()));
    std::erase(parameters, ' ');
    return parameters;
}

std::size_t line_at(const std::string& text, std::size_t place) {
    return 1 +
           static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

std::vector<StepFunction> step_functions_of(const std::string& skeleton) {
    static const app::Pattern pattern(R"x(throw NotImplemented\("([a-z0-9]+\.\d+) ([^"]+)"\))x");
    std::vector<StepFunction> functions;
    for (const Item& item : items_of(skeleton)) {
        const std::string text = skeleton.substr(item.begin, item.end - item.begin);
        const auto match = pattern.search(text);
        if (item.has_body && match) {
            functions.push_back({(*match)[1], item.name, item.signature});
        }
    }
    return functions;
}

}  // namespace workbook::steps
