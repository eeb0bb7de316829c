/// @file
/// Writes small SVG pictures: whole numbers only, so that every machine writes the same bytes; colours that can be read
/// on light and on dark ground; a title and a description for those who do not see them.
#pragma once

#include <string>
#include <vector>

namespace workbook::figures {

/// A place in a picture, in pixels at full size.
struct Point {
    int x = 0, y = 0;

    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
};

/// A picture that is being drawn. `kind` is a class of the style sheet in svg.cpp, or several.
class Svg {
public:
    /// @param name         of the file, without its ending
    /// @param title        what the picture is, a few words
    /// @param description  what one would see, in sentences
    Svg(std::string name, const std::string& title, const std::string& description);

    void box(Point corner, int width, int height, const std::string& kind);
    /// Equal squares, as one path.
    void squares(const std::vector<Point>& corners, int size, const std::string& kind);
    void line(Point from, Point to, const std::string& kind);
    void polyline(const std::vector<Point>& points, const std::string& kind);
    void dot(Point centre, const std::string& kind);
    /// Text that begins at `at`; with kind "m" it is centred there, with "e" it ends there.
    void text(Point at, const std::string& text, const std::string& kind = "");

    /// Small text below everything drawn so far and no wider, in as many lines as that takes.
    void caption(const std::string& words);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// The whole file. Its view box ends where the drawing ends.
    [[nodiscard]] std::string file() const;

private:
    void reach(Point corner);

    std::string name_;
    std::string head_;
    std::string body_;
    Point end_;
};

}  // namespace workbook::figures
