#include "app/base/machine.hpp"

#include <array>
#include <ctime>
#include <fstream>

namespace workbook::app {

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) {
            return line.substr(line.find(": ") + 2);
        }
    }
    return "a processor of unknown name";
}

std::string utc_date() {
    const std::time_t now = std::time(nullptr);
    std::array<char, 16> text{};
    (void)std::strftime(text.data(), text.size(), "%Y-%m-%d", std::gmtime(&now));
    return text.data();
}

}  // namespace workbook::app
