/// @file
/// The documents in which mistakes are described, one Markdown file each: reference/mistakes/<step>/[family/]<id>.md.
///
///     # The scores are not scaled {#mistake_scale_missing}
///
///     \htmlinclude[block] docs/figures/svg/mistake_scale_missing.svg
///
///     `q·k` is not divided by `sqrt(d)`, so the softmax is too peaked.
///
///     **It hides** with one visible key, and with `d = 1`.
///
///     **Look for it:** Divide the scores by the square root of the width of one head.
///
///     **Reported in** [owner/repo#12](https://github.com/owner/repo/issues/12).
///
///     ## Decisions
///
///     ```
///     scale = none
///     ```
///
///     ## Wrong solutions
///
///     ```cpp
///     part1_mha/solution.cpp
///     <<<<<<<
///         scores /= std::sqrt(static_cast<Scalar>(q.shape(1)));
///     =======
///     >>>>>>>
///     ```
///
///     ### twice
///
///     ```cpp
///     …
///     ```
///
/// The picture and the reports may be missing. A line of Decisions is one way to make the mistake, or several: where
/// bars separate choices, every combination is a way, and the last choices vary fastest. A mistake that outputs cannot
/// show has no Decisions; its document says after `**Outputs do not show it:**` what does show it. Wrong solutions are
/// edits (tests/mistakes/edit.hpp). The name of each is the name of the mistake, followed by the heading above the
/// edit, if there is one: scale_missing-twice.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace workbook::mistakes {

/// A document that does not have this form; the message begins with its file and line.
class DocumentError : public std::runtime_error {
public:
    DocumentError(const std::filesystem::path& file, std::size_t line, const std::string& what)
        : std::runtime_error(file.string() + ":" + std::to_string(line) + ": " + what) {}
};

/// One decision, taken in one way.
struct NamedChoice {
    std::string decision;  ///< "hidden_score"
    std::string choice;    ///< "finite", or a number
    std::size_t line = 0;  ///< its line, counted from 1
};

/// A wrong solution that makes the mistake.
struct NamedEdit {
    std::string name;  ///< "scale_missing", "scale_missing-twice"
    std::string text;
    std::size_t line = 0;  ///< the line where the text begins, counted from 1
};

/// What a document says. Its sentences are without the marks of Markdown.
struct Document {
    std::filesystem::path file;
    std::string id;                              ///< the name of the file: "scale_missing"
    std::string step;                            ///< the name of the folder: "1.3"
    std::string title;                           ///< "the scores are not scaled"
    bool has_figure = false;                     ///< whether it shows a picture
    std::string mechanism;                       ///< what happens, as sentences
    std::string hides;                           ///< in which situations, without the full stop
    std::string look;                            ///< how to look for it, as sentences
    std::vector<std::string> reports;            ///< public threads: "owner/repo#12"
    std::vector<std::vector<NamedChoice>> ways;  ///< to make the mistake; none when outputs do not show it
    std::vector<NamedEdit> edits;
};

/// @param file  where the text comes from: its name and folders say which mistake of which step it is
/// @throws DocumentError
[[nodiscard]] Document parse_document(const std::filesystem::path& file, const std::string& text);

/// All documents below a folder, in the order of their steps.
/// @param folder  reference/mistakes of a checkout
/// @throws DocumentError when one of them has another form, or two of them have the same name
[[nodiscard]] std::vector<Document> read_documents(const std::filesystem::path& folder);

}  // namespace workbook::mistakes
