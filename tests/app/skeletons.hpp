/// @file
/// Skeletons of two versions, for tests of what becomes of learners' files.
#pragma once

#include <string>
#include <utility>

#include "app/base/text.hpp"

namespace workbook {

/// A skeleton of two steps.
inline const std::string base =
    "// Old words.\n"
    "#include \"attention.hpp\"\n"
    "#include \"tiles.hpp\"\n"
    "\n"
    "#include <cmath>\n"
    "\n"
    "namespace workbook {\n"
    "\n"
    "// Step 1.1: first\n"
    "//\n"
    "// What to do.\n"
    "\n"
    "int first(int x) {\n"
    "    expect_old(x);\n"
    "    throw NotImplemented(\"1.1 first\");\n"
    "}\n"
    "\n"
    "// Step 1.2: second\n"
    "\n"
    "int second(int x) {\n"
    "    expect_old(x);\n"
    "    throw NotImplemented(\"1.2 second\");\n"
    "}\n"
    "\n"
    "}  // namespace workbook\n";

/// A text with every occurrence of another left out.
inline std::string without(std::string text, const std::string& what) {
    return app::replaced(std::move(text), what, "");
}

/// What the next version has in its place: other words, no <cmath>, a header that has moved, another given line.
inline const std::string next =
    app::replaced(app::replaced(app::replaced(without(base, "#include <cmath>\n\n"), "Old words", "New words"),
                                "attention.hpp", "part1_mha/attention.hpp"),
                  "    expect_old(x);\n    throw NotImplemented(\"1.1 first\");",
                  "    expect_new(x);\n    throw NotImplemented(\"1.1 first\");");

/// A file with a body in place of the throw of a step.
/// @param id  what the throw says, such as "1.1 first"
inline std::string filled(const std::string& file, const std::string& id, const std::string& body) {
    return app::replaced(file, "    throw NotImplemented(\"" + id + "\");\n", body);
}

/// Whether a text holds another.
inline bool has(const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
}

/// The skeleton of a follow-up to which step 1.2 may move.
inline const std::string home =
    "#include \"home.hpp\"\n\nnamespace workbook::home {\n\n// Step home.1: at home\n\nint run(int x) {\n"
    "    expect_home(x);\n    throw NotImplemented(\"home.1 run\");\n}\n\n}  // namespace workbook::home\n";

}  // namespace workbook
