// write_mistake_pages SOURCE_DIR OUT_DIR: writes mistakes_part1.md, mistakes_part2.md and mistakes_part3.md.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "app/steps/steps.hpp"
#include "docs/mistakes/pages.hpp"

namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> step_titles(const fs::path& source) {
    std::map<std::string, std::string> titles;
    for (const char* folder : {"part1_mha", "part2_kv_cache", "part3_gqa"}) {
        std::ifstream file(source / folder / "solution.cpp");
        std::ostringstream text;
        text << file.rdbuf();
        titles.merge(workbook::steps::titles_of(text.str()));
    }
    return titles;
}

void write(const fs::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: write_mistake_pages SOURCE_DIR OUT_DIR\n";
        return 2;
    }
    try {
        const fs::path source = argv[1];
        const fs::path figures = source / "docs" / "figures" / "svg";
        const workbook::docs::Sources sources{
            workbook::mistakes::catalogue(), workbook::docs::read_reports(source / "docs" / "mistake-reports.json"),
            step_titles(source), [&](const std::string& name) { return fs::exists(figures / (name + ".svg")); }};
        fs::create_directories(argv[2]);
        for (const int part : {1, 2, 3}) {
            write(fs::path(argv[2]) / ("mistakes_part" + std::to_string(part) + ".md"),
                  workbook::docs::mistakes_page(part, sources));
        }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
