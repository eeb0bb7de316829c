#include "app/story/model/published_model.hpp"

#include "app/base/system/process.hpp"

namespace workbook::app {

std::string sha256_of(const std::filesystem::path& file) {
    const std::string output = run({"cmake", "-E", "sha256sum", file.string()}, {}).output;
    return output.substr(0, output.find(' '));
}

}  // namespace workbook::app
