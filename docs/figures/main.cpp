// draw_figures FIGURES_DIR DIR: writes every picture of the pages into DIR.
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "docs/figures/figures.hpp"

namespace {

using workbook::figures::Svg;

std::vector<Svg> all_figures(const std::string& folder) {
    std::vector<Svg> all;
    for (const auto& figures : {workbook::figures::mask_figures(), workbook::figures::head_figures(),
                                workbook::figures::cache_figures(), workbook::figures::plot_figures(folder)}) {
        all.insert(all.end(), figures.begin(), figures.end());
    }
    for (const auto& mistake : workbook::mistakes::catalogue()) {
        if (const auto figure = workbook::figures::mistake_figure(mistake)) {
            all.push_back(*figure);
        }
    }
    return all;
}

void write(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) {
        throw std::runtime_error("cannot write " + path);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: draw_figures FIGURES_DIR DIR\n";
        return 2;
    }
    try {
        for (const Svg& svg : all_figures(argv[1])) {
            write(argv[2] + ("/" + svg.name()) + ".svg", svg.file());
        }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
