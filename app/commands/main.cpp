#include "app/commands/run_workbook.hpp"

int main(int argc, char** argv) {
    return workbook::app::run_workbook({WORKBOOK_SOURCE_DIR, WORKBOOK_BUILD_DIR}, {argv + 1, argv + argc});
}
