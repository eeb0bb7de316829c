#include "app/base/files.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace workbook::app {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_atomically(const fs::path& path, const std::string& text) {
    const fs::path target = fs::weakly_canonical(path);
    fs::create_directories(target.parent_path());
    const fs::path beside = target.string() + ".new-" + std::to_string(getpid());
    std::ofstream file(beside, std::ios::binary);
    file << text;
    file.close();
    std::error_code ignored;
    if (!file || read_file(beside) != text) {
        fs::remove(beside, ignored);
        throw std::runtime_error("cannot write " + path.string());
    }
    fs::rename(beside, target);
}

TemporaryFile::TemporaryFile(const std::string& text) {
    std::string pattern = (fs::temp_directory_path() / "workbook-XXXXXX").string();
    const int descriptor = mkstemp(pattern.data());
    if (descriptor < 0) {
        throw std::runtime_error("cannot create a file in " + fs::temp_directory_path().string());
    }
    close(descriptor);
    path_ = pattern;
    std::ofstream file(path_, std::ios::binary);
    file << text;
    if (!file.flush()) {
        throw std::runtime_error("cannot write " + pattern);
    }
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "workbook-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("cannot create a folder in " + fs::temp_directory_path().string());
    }
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace workbook::app
