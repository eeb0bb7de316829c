#include "app/base/version.hpp"

namespace workbook::app {

std::string version() {
    return WORKBOOK_VERSION;
}

}  // namespace workbook::app
