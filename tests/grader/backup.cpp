#include "backup.hpp"

#include <array>
#include <ctime>
#include <stdexcept>

#include "files.hpp"

namespace workbook::grader {

namespace fs = std::filesystem;

fs::path backup_name(const Folders& folders, int part) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> text{};
    (void)std::strftime(text.data(), text.size(), "%Y-%m-%d-%H%M%S", &local);
    return folders.source / ".workbook" / "backups" / ("part" + std::to_string(part) + "-" + text.data() + ".cpp");
}

fs::path replace_with_backup(const fs::path& file, const std::string& text, const fs::path& backup) {
    fs::create_directories(backup.parent_path());
    fs::path kept = backup;
    // copy_file refuses to overwrite: two backups within a second both stay.
    for (int number = 2; !fs::copy_file(file, kept, fs::copy_options::skip_existing); ++number) {
        kept = backup.parent_path() / (backup.stem().string() + "-" + std::to_string(number) + ".cpp");
    }
    if (read_file(kept) != read_file(file)) {
        throw std::runtime_error("the backup " + kept.string() + " is not what is in " + file.string() +
                                 "; nothing was changed");
    }
    write_atomically(file, text);
    return kept;
}

}  // namespace workbook::grader
