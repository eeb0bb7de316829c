#include "app/steps/exercises/backup.hpp"

#include <stdexcept>

#include "app/base/files.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

namespace fs = std::filesystem;

fs::path backup_name(const Project& project, const Part& part) {
    const std::string name = part.is_follow_up ? part.name : "part" + part.name;
    return project.source / ".workbook" / "backups" / (name + local_time("-%Y-%m-%d-%H%M%S") + ".cpp");
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

}  // namespace workbook::app
