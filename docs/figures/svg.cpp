#include "docs/figures/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace workbook::figures {

namespace {

// Lines and text take the colour of the page around an inlined picture. A picture that is opened by itself is its own
// page and follows the system's choice of dark or light.
constexpr const char* style =
    ":root.wf{color:#1f2328}"
    "@media(prefers-color-scheme:dark){:root.wf{color:#e6edf3;background:#14171b}}"
    ".wf text{font:11px system-ui,sans-serif;fill:currentColor}"
    ".wf .b{font-weight:600}.wf .s{font-size:10px}.wf .m{text-anchor:middle}.wf .e{text-anchor:end}"
    ".wf .in{fill:#fff}"
    ".wf .off{fill:none;stroke:currentColor;stroke-opacity:.3}"
    ".wf .edge{fill:none;stroke:currentColor;stroke-opacity:.6}"
    ".wf .see{fill:#2f6fb0}"
    ".wf .bad{fill:#c2410c}.wf .few{fill:#c2410c;fill-opacity:.45}"
    ".wf .miss{fill:none;stroke:#c2410c;stroke-width:2;stroke-dasharray:3 2}"
    ".wf .c0{fill:#2f6fb0}.wf .c1{fill:#a65300}.wf .c2{fill:#2a7d4f}.wf .c3{fill:#8250df}.wf .c4{fill:#b03581}"
    ".wf .c5{fill:#7d6500}"
    ".wf .l0{stroke:#2f6fb0}.wf .l1{stroke:#a65300}.wf .l2{stroke:#2a7d4f}.wf .l3{stroke:#8250df}"
    ".wf .l4{stroke:#b03581}.wf .l5{stroke:#7d6500}.wf .lb{stroke:#c2410c}"
    ".wf .l0,.wf .l1,.wf .l2,.wf .l3,.wf .l4,.wf .l5,.wf .lb{stroke-width:2;fill:none}";

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    }
    return result;
}

// One with a shape, such as "M0 0L7 7".
std::string path_element(const std::string& kind, const std::string& path) {
    return fmt::format(R"(<path class="{}" d="{}"/>)", kind, path) + "\n";
}

bool has_word(const std::string& words, const std::string& word) {
    return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

// Characters, not bytes.
int length(const std::string& utf8) {
    return static_cast<int>(std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

Svg::Svg(std::string name, const std::string& title, const std::string& description) : name_(std::move(name)) {
    head_ = fmt::format("<title id=\"{0}-t\">{1}</title>\n<desc id=\"{0}-d\">{2}</desc>\n", name_, escaped(title),
                        escaped(description));
}

void Svg::reach(Point corner) {
    end_ = {std::max(end_.x, corner.x), std::max(end_.y, corner.y)};
}

void Svg::box(Point corner, int width, int height, const std::string& kind) {
    body_ += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)", kind, corner.x, corner.y, width,
                         height) +
             "\n";
    reach(corner + Point{width, height});
}

void Svg::squares(const std::vector<Point>& corners, int size, const std::string& kind) {
    if (corners.empty()) {
        return;
    }
    std::string path;
    for (const Point corner : corners) {
        path += fmt::format("M{0} {1}h{2}v{2}h-{2}z", corner.x, corner.y, size);
        reach(corner + Point{size, size});
    }
    body_ += path_element(kind, path);
}

void Svg::line(Point from, Point to, const std::string& kind) {
    polyline({from, to}, kind);
}

void Svg::polyline(const std::vector<Point>& points, const std::string& kind) {
    std::string path;
    for (const Point point : points) {
        path += fmt::format("{}{} {}", path.empty() ? "M" : "L", point.x, point.y);
        reach(point);
    }
    body_ += path_element(kind, path);
}

void Svg::dot(Point centre, const std::string& kind) {
    body_ += fmt::format(R"(<circle class="{}" cx="{}" cy="{}" r="3"/>)", kind, centre.x, centre.y) + "\n";
    reach(centre + Point{3, 3});
}

void Svg::text(Point at, const std::string& text, const std::string& kind) {
    const std::string of_kind = kind.empty() ? "" : fmt::format(R"( class="{}")", kind);
    body_ += fmt::format(R"(<text{} x="{}" y="{}">{}</text>)", of_kind, at.x, at.y, escaped(text)) + "\n";
    const bool ends = has_word(kind, "e");
    const bool centred = has_word(kind, "m");
    const int width = length(text) * (has_word(kind, "s") ? 6 : 7);
    reach(at + Point{ends ? 0 : centred ? width / 2 : width, 3});
}

void Svg::caption(const std::string& words) {
    const int widest = std::max(end_.x, 200) / 6;  // characters
    std::istringstream stream(words);
    std::string line;
    int y = end_.y + 16;
    for (std::string word; stream >> word; line += (line.empty() ? "" : " ") + word) {
        if (!line.empty() && length(line + " " + word) > widest) {
            text({0, y}, std::exchange(line, ""), "s");
            y += 13;
        }
    }
    text({0, y}, line, "s");
}

std::string Svg::file() const {
    const int width = end_.x + 2;
    const int widest = width * 3 / 2;  // wider than that, a small picture looks coarse
    const std::string begin =
        fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" class="wf" viewBox="0 0 {0} {1}" role="img" )"
                    R"(aria-labelledby="{2}-t {2}-d" style="width:100%;min-width:{0}px;max-width:{3}px;height:auto">)",
                    width, end_.y + 2, name_, widest);
    return fmt::format("{}\n{}<style>{}</style>\n{}</svg>\n", begin, head_, style, body_);
}

}  // namespace workbook::figures
