// fill_pages [--check] DOCS_DIR: computes what stands between marks in DOCS_DIR/pages/*.md, and writes it there, or
// with
// --check says which pages are out of date.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "docs/tables/blocks.hpp"

namespace {

namespace fs = std::filesystem;
using workbook::docs::Blocks;

Blocks all_blocks(const fs::path& docs) {
    Blocks all;
    for (Blocks blocks :
         {workbook::docs::shape_blocks(), workbook::docs::cost_blocks(), workbook::docs::follow_up_blocks(),
          workbook::docs::points_blocks((docs / ".." / "tests").string()),
          workbook::docs::measured_blocks((docs / "figures").string()),
          workbook::docs::bench_blocks((docs / "figures").string())}) {
        all.merge(blocks);
    }
    return all;
}

// Pages that differ from what they should be.
std::vector<fs::path> fill(const fs::path& docs, bool check) {
    const Blocks blocks = all_blocks(docs);
    std::vector<fs::path> changed;
    for (const auto& entry : fs::recursive_directory_iterator(docs / "pages")) {
        if (entry.path().extension() != ".md") {
            continue;
        }
        const std::string page = workbook::app::read_file(entry.path());
        const std::string filled = workbook::docs::filled(page, blocks);
        if (filled != page) {
            changed.push_back(entry.path());
            if (!check) {
                std::ofstream(entry.path(), std::ios::binary) << filled;
            }
        }
    }
    return changed;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool check = !arguments.empty() && arguments.front() == "--check";
    if (arguments.size() != (check ? 2U : 1U)) {
        std::cerr << "usage: fill_pages [--check] DOCS_DIR\n";
        return 2;
    }
    try {
        const std::vector<fs::path> changed = fill(arguments.back(), check);
        for (const fs::path& page : changed) {
            std::cout << (check ? "out of date: " : "filled: ") << page.string() << "\n";
        }
        if (check && !changed.empty()) {
            std::cout << "To compute them again: cmake --build --preset default --target update-pages\n";
        }
        return check && !changed.empty() ? 1 : 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
