// Writes what the calculator and the explorer show, as a script that a page can load from a file (Chrome reads no JSON
// there): interactive_data MODELS_JSON DATA_JS
#include <fstream>
#include <iostream>

#include "docs/interactive/names.hpp"

namespace {

using nlohmann::ordered_json;
using workbook::mistakes::Mistake;

ordered_json json_of(const Mistake& mistake) {
    ordered_json models = ordered_json::array();
    for (const workbook::mistakes::Way& way : mistake.ways) {
        models.push_back(workbook::docs::names_of(way));
    }
    return {
        {"id", mistake.id},       {"step", mistake.step}, {"title", mistake.title}, {"mechanism", mistake.mechanism},
        {"hides", mistake.hides}, {"look", mistake.look}, {"models", models}};
}

// A mistake in each line; those that outputs cannot show have nothing to show here either.
void write_mistakes(std::ostream& script) {
    const char* separator = "\n";
    for (const Mistake& mistake : workbook::mistakes::catalogue()) {
        if (!mistake.ways.empty()) {
            script << separator << json_of(mistake).dump();
            separator = ",\n";
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "expected MODELS_JSON and DATA_JS\n";
        return 2;
    }
    std::ifstream models(argv[1]);
    std::ofstream script(argv[2]);
    script << "// Written by interactive_data from docs/models.json and reference/mistakes.\n"
           << "globalThis.workbookData = {\"models\": " << ordered_json::parse(models).at("models").dump(1)
           << ",\n\"mistakes\": [";
    write_mistakes(script);
    script << "\n]};\n";
    return script.good() ? 0 : 1;
}
