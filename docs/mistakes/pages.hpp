/// @file
/// The catalogue of mistakes as pages: one for each part, in Doxygen's Markdown.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reference/mistakes/catalogue.hpp"

namespace workbook::docs {

/// Threads in which a mistake was reported, "owner/repo#12", by the mistake's id.
using Reports = std::map<std::string, std::vector<std::string>>;

/// What pages are made of.
struct Sources {
    const std::vector<mistakes::Mistake>& catalogue;
    Reports reports;
    std::map<std::string, std::string> step_titles;           ///< "1.2" to "softmax over each row"
    std::function<bool(const std::string& name)> has_figure;  ///< whether there is a picture NAME.svg
};

/// Reads docs/mistake-reports.json.
/// @throws std::runtime_error when the file cannot be read, or has a thread in another form
[[nodiscard]] Reports read_reports(const std::string& path);

/// The page of one part, with the id mistakes_part1, mistakes_part2 or mistakes_part3. The section of a mistake has the
/// anchor mistake_<id>.
[[nodiscard]] std::string mistakes_page(int part, const Sources& sources);

/// Text as it is, whatever its characters mean in Markdown or to Doxygen.
[[nodiscard]] std::string plain(const std::string& text);

}  // namespace workbook::docs
