#include "tests/mistakes/published.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "app/base/files.hpp"

namespace workbook::edits {

bool is_published(const std::filesystem::path& page, const std::filesystem::path& build, const std::string& made) {
    const std::filesystem::path generated = build / page.filename();
    std::ofstream(generated) << made;
    if (app::read_file(page) == made) {
        return true;
    }
    std::cout << fmt::format("{} IS OUT OF DATE: copy {} over it\n", page.string(), generated.string());
    return false;
}

}  // namespace workbook::edits
