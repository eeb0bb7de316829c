#include "docs/figures/svg.hpp"

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

std::string number(int value) {
    return std::to_string(value);
}

std::string attribute(const std::string& name, const std::string& value) {
    return " " + name + "=\"" + value + "\"";
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
    head_ = "<title id=\"" + name_ + "-t\">" + escaped(title) + "</title>\n<desc id=\"" + name_ + "-d\">" +
            escaped(description) + "</desc>\n";
}

void Svg::reach(Point corner) {
    end_ = {std::max(end_.x, corner.x), std::max(end_.y, corner.y)};
}

void Svg::box(Point corner, int width, int height, const std::string& kind) {
    body_ += "<rect" + attribute("class", kind) + attribute("x", number(corner.x)) + attribute("y", number(corner.y)) +
             attribute("width", number(width)) + attribute("height", number(height)) + "/>\n";
    reach(corner + Point{width, height});
}

void Svg::squares(const std::vector<Point>& corners, int size, const std::string& kind) {
    if (corners.empty()) {
        return;
    }
    std::string path;
    for (const Point corner : corners) {
        path += "M" + number(corner.x) + " " + number(corner.y) + "h" + number(size) + "v" + number(size) + "h-" +
                number(size) + "z";
        reach(corner + Point{size, size});
    }
    body_ += "<path" + attribute("class", kind) + attribute("d", path) + "/>\n";
}

void Svg::line(Point from, Point to, const std::string& kind) {
    polyline({from, to}, kind);
}

void Svg::polyline(const std::vector<Point>& points, const std::string& kind) {
    std::string path;
    for (const Point point : points) {
        path += (path.empty() ? "M" : "L") + number(point.x) + " " + number(point.y);
        reach(point);
    }
    body_ += "<path" + attribute("class", kind) + attribute("d", path) + "/>\n";
}

void Svg::dot(Point centre, const std::string& kind) {
    body_ += "<circle" + attribute("class", kind) + attribute("cx", number(centre.x)) +
             attribute("cy", number(centre.y)) + attribute("r", "3") + "/>\n";
    reach(centre + Point{3, 3});
}

void Svg::text(Point at, const std::string& text, const std::string& kind) {
    body_ += "<text" + (kind.empty() ? "" : attribute("class", kind)) + attribute("x", number(at.x)) +
             attribute("y", number(at.y)) + ">" + escaped(text) + "</text>\n";
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
    const std::string width = number(end_.x + 2);
    const std::string widest = number((end_.x + 2) * 3 / 2);  // wider than that, a small picture looks coarse
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("class", "wf") +
           attribute("viewBox", "0 0 " + width + " " + number(end_.y + 2)) + attribute("role", "img") +
           attribute("aria-labelledby", name_ + "-t " + name_ + "-d") +
           attribute("style", "width:100%;min-width:" + width + "px;max-width:" + widest + "px;height:auto") + ">\n" +
           head_ + "<style>" + style + "</style>\n" + body_ + "</svg>\n";
}

}  // namespace workbook::figures
