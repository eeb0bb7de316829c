// ./workbook cost, and the pages that show the same figures without a script.
#include <gtest/gtest.h>

#include <sstream>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/base/system/terminal.hpp"
#include "app/base/text.hpp"
#include "app/commands/command.hpp"
#include "app/show/cost_table.hpp"
#include "reference/mistakes/models/sight.hpp"

namespace workbook::app {
namespace {

const std::filesystem::path docs = std::filesystem::path(WORKBOOK_SOURCE_DIR) / "docs";

std::vector<reference::Preset> presets() {
    return reference::read_presets(docs / "models.json");
}

void expect_80_columns(const std::string& text) {
    for (const std::string& line : lines_of(text)) {
        EXPECT_LE(columns_of(line), 80U) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(CostTable, WritesCountsAndAmountsShortly) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(34'359'738'368), "34,359,738,368");
    EXPECT_EQ(in_binary_units(640), "640 B");
    EXPECT_EQ(in_binary_units(131'072), "128 KiB");
    EXPECT_EQ(in_binary_units(34'359'738'368), "32 GiB");
    EXPECT_EQ(in_binary_units(1'600), "1.56 KiB");
    EXPECT_EQ(in_binary_units(1'744'830'464), "1.63 GiB");  // 1.625: a half goes up, as in a browser
    EXPECT_EQ(counted(1, "row"), "1 row");
    EXPECT_EQ(counted(1'000, "row"), "1,000 rows");
    EXPECT_EQ(in_decimal_units(0.0048, "s"), "4.8 ms");
    EXPECT_EQ(in_decimal_units(1.41e14, "FLOP"), "141 TFLOP");
    EXPECT_EQ(in_decimal_units(6.4e-6, "s"), "6.4 µs");
}

TEST(CostTable, FitsIn80ColumnsForEveryModel) {
    std::ostringstream list;
    print_presets(list, presets());
    expect_80_columns(list.str());
    for (const reference::Preset& preset : presets()) {
        for (const reference::Load& load : {reference::Load{1, 1, 0}, reference::Load{16, 131'072, 100'000}}) {
            std::ostringstream table;
            print_costs(table, preset.shape, load, {3.35e12, 989e12, reference::Count{80} << 30});
            expect_80_columns(table.str());
        }
    }
}

TEST(CostTable, ShowsTheFiguresOfLlama) {
    std::ostringstream table;
    print_costs(table, presets().front().shape, {32, 8192, 0}, {3.35e12, 989e12, reference::Count{80} << 30});
    for (const char* figure : {"131,072      128 KiB", "34,359,738,368       32 GiB", "137,438,953,472      128 GiB"}) {
        EXPECT_NE(table.str().find(figure), std::string::npos) << figure << " is missing in\n" << table.str();
    }
}

int cost(const std::vector<std::string>& words) {
    return run_command(*command_named("cost"), Project(WORKBOOK_SOURCE_DIR, WORKBOOK_BUILD_DIR), words);
}

TEST(CostCommand, RefusesCountsThatPass64Bits) {
    const std::string most = "18446744073709551615";
    EXPECT_THROW((void)cost({"llama-3.1-8b", "--batch", most}), WrongUse);
    EXPECT_THROW(
        (void)cost({"--layers", most, "--d-model", most, "--heads", "8", "--kv-heads", "8", "--head-dim", "8"}),
        WrongUse);
}

TEST(CostCommand, ListsModelsAndNothingElse) {
    EXPECT_THROW((void)cost({"--list", "llama-3.1-8b"}), WrongUse);
}

TEST(Presets, NameAFileThatCannotBeRead) {
    try {
        (void)reference::read_presets("/no/such/models.json");
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("/no/such/models.json"), std::string::npos);
    }
}

TEST(CalculatorPage, HasEveryPresetAsItIs) {
    const std::string page = read_file(docs / "pages" / "calculator.md");
    for (const auto& [name, title, year, source, max_context, shape] : presets()) {
        std::ostringstream row;
        row << "| " << title << " | " << grouped(shape.n_layers) << " | " << grouped(shape.d_model) << " | "
            << grouped(shape.n_heads) << " | " << grouped(shape.n_kv_heads) << " | " << grouped(shape.head_dim) << " | "
            << grouped(kv_bytes_per_token(shape)) << " | " << grouped(shape.parameters) << " | " << source << ", "
            << year << " |\n";
        EXPECT_NE(page.find(row.str()), std::string::npos) << "docs/pages/calculator.md has to have this row:\n"
                                                           << row.str();
    }
}

// Rows of a grid, as the page writes them.
std::string grid(const mistakes::CachedCall& call, const mistakes::Decisions& decisions) {
    std::string text = "                key";
    for (std::size_t j = 0; j < call.max_len; ++j) {
        text += " " + std::to_string(j);
    }
    const auto queries = sights(call, decisions)[0][0];
    for (std::size_t t = 0; t < call.q_len; ++t) {
        text += "\nquery " + std::to_string(t) + ", position " + std::to_string(call.past[0] + t);
        for (const char mark : queries[t].tokens) {
            text += std::string(" ") + mark;
        }
    }
    return text + "\n";
}

TEST(ExplorerPage, HasTheGridsOfTheModel) {
    const std::string page = read_file(docs / "pages" / "explorer.md");
    const mistakes::CachedCall call{.past = {4}, .n_new = {3}, .q_len = 3, .max_len = 8};
    mistakes::Decisions by_row_number;
    by_row_number.mask = mistakes::Mask::by_row_number;
    for (const std::string& text : {grid(call, {}), grid(call, by_row_number)}) {
        EXPECT_NE(page.find(text), std::string::npos) << "docs/pages/explorer.md has to have this grid:\n" << text;
    }
}

}  // namespace
}  // namespace workbook::app
