#include "app/build/sanitized.hpp"

#include <iostream>
#include <stdexcept>

#include "app/base/system/process.hpp"

namespace workbook::app {

namespace fs = std::filesystem;

Project sanitized(const Project& project) {
    Project result = project;
    result.build = project.source / "build" / "sanitize";
    result.sanitized = true;
    if (fs::exists(result.build / "build.ninja")) {
        return result;
    }
    std::cerr << "Building the workbook with sanitizers; the first time takes a few minutes." << std::endl;
    Setting setting;
    setting.folder = project.source;
    const std::string compiler = "-DCMAKE_CXX_COMPILER=" WORKBOOK_COMPILER;
    const std::string packages = "-DCMAKE_PREFIX_PATH=" WORKBOOK_PREFIX_PATH;
    const RunResult configured = run({"cmake", "--preset", "sanitize", compiler, packages}, {}, {}, setting);
    if (!configured.succeeded()) {
        fs::remove(result.build / "build.ninja");
        throw std::runtime_error(configured.output + "The build with sanitizers could not be configured.");
    }
    return result;
}

}  // namespace workbook::app
