// Writes what the calculator and the explorer show, as a script that a page can load from a file (Chrome reads no JSON
// there): interactive_data MODELS_JSON DATA_JS
#include <fstream>
#include <iostream>

#include "docs/interactive/decision_names.hpp"

namespace {

using nlohmann::ordered_json;

ordered_json mistakes_to_show() {
    ordered_json all = ordered_json::array();
    for (const workbook::docs::Shown& shown : workbook::docs::shown_mistakes()) {
        const workbook::mistakes::Mistake& mistake = *shown.mistake;
        all.push_back({{"id", mistake.id},
                       {"step", mistake.step},
                       {"title", mistake.title},
                       {"mechanism", mistake.mechanism},
                       {"hides", mistake.hides},
                       {"look", mistake.look},
                       {"models", shown.names}});
    }
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "expected MODELS_JSON and DATA_JS\n";
        return 2;
    }
    std::ifstream models(argv[1]);
    const ordered_json data{{"models", ordered_json::parse(models).at("models")}, {"mistakes", mistakes_to_show()}};
    std::ofstream script(argv[2]);
    script << "// Written by interactive_data from docs/models.json and reference/mistakes.\n"
           << "globalThis.workbookData = " << data.dump(1) << ";\n";
    return script.good() ? 0 : 1;
}
