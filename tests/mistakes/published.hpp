/// @file
/// Pages of the site that a long run writes.
#pragma once

#include <filesystem>
#include <string>

namespace workbook::edits {

/// Whether a page in docs/pages is the one that was made. If not, says where the new one is to be copied from.
/// @param page   its path
/// @param build  the folder that the new one is put into
[[nodiscard]] bool is_published(const std::filesystem::path& page, const std::filesystem::path& build,
                                const std::string& made);

}  // namespace workbook::edits
