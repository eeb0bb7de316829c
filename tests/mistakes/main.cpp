// Grades a wrong solution for every mistake of the catalogue, and right solutions in other styles.
//   grade_mistakes                   all of them; writes the table of mistakes and tests
//   grade_mistakes scale_missing …   some of them
//   grade_mistakes --in COPY …       in the build folder of a copy of the project; the usual one stays free
// Exit code 0 when every wrong solution fails and is named, and no right one is accused.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "build.hpp"
#include "catalogue.hpp"
#include "check.hpp"
#include "edit.hpp"
#include "files.hpp"
#include "table.hpp"

namespace {

namespace fs = std::filesystem;
namespace grader = workbook::grader;
using workbook::edits::Grade;
using workbook::edits::Naming;

const fs::path source_dir = WORKBOOK_SOURCE_DIR;

grader::Folders folders_in(const fs::path& source, const fs::path& build) {
    return {source, build, build / "bin" / "solutions"};
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == extension) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

// "scale_missing-twice.edit" makes the mistake scale_missing in a second way.
std::string mistake_of(const fs::path& edit) {
    const std::string name = edit.stem().string();
    return name.substr(0, name.find('-'));
}

grader::PartResult grade(const grader::Folders& folders, const fs::path& file, int part) {
    grader::Request request;
    request.parts = {part};
    request.file = file;
    return grader::check_part(folders, request, part);
}

// Grades the edited solution.
Grade grade_edit(const grader::Folders& folders, const fs::path& path) {
    const workbook::edits::Edit edit = workbook::edits::parse_edit(grader::read_file(path));
    const fs::path file = folders.build / "graded" / "wrong.cpp";
    std::ofstream(file) << workbook::edits::applied(edit, grader::read_file(source_dir / edit.base));
    return workbook::edits::graded(path.stem().string(), mistake_of(path), grade(folders, file, edit.part()));
}

// Grades a right solution: full marks, and no mistake named.
bool is_accepted(const grader::Folders& folders, const fs::path& file) {
    const int part = file.filename().string().at(4) - '0';
    const grader::PartResult result = grade(folders, file, part);
    const bool accused =
        std::ranges::any_of(result.steps, [](const grader::StepResult& step) { return !step.findings.empty(); });
    const bool right = result.passed() && !accused;
    std::cout << file.stem().string() << ": " << (right ? "full marks" : "NOT ACCEPTED") << std::endl;
    if (!right) {
        grader::print(std::cout, result, {}, true);
    }
    return right;
}

// Edits whose mistakes are among `wanted`; all when nothing is.
std::vector<fs::path> wanted_edits(const std::vector<std::string>& wanted) {
    std::vector<fs::path> edits = files_in(source_dir / "tests/mistakes/edits", ".edit");
    std::erase_if(edits, [&](const fs::path& edit) {
        return !wanted.empty() && std::ranges::find(wanted, mistake_of(edit)) == wanted.end();
    });
    return edits;
}

// Mistakes without a wrong solution.
std::vector<std::string> without_edit(const std::vector<fs::path>& edits) {
    std::vector<std::string> missing;
    for (const auto& mistake : workbook::mistakes::catalogue()) {
        if (std::ranges::find(edits, mistake.id, mistake_of) == edits.end()) {
            missing.push_back(mistake.id);
        }
    }
    return missing;
}

// The page in docs has to be this table.
bool is_published(const std::string& table) {
    const fs::path page = source_dir / "docs/pages/mistakes-by-test.md";
    const fs::path generated = fs::path(WORKBOOK_BUILD_DIR) / "mistakes-by-test.md";
    std::ofstream(generated) << table;
    if (grader::read_file(page) == table) {
        return true;
    }
    std::cout << page.string() << " IS OUT OF DATE: copy " << generated.string() << " over it\n";
    return false;
}

int run(const grader::Folders& folders, const std::vector<std::string>& wanted) {
    const std::vector<fs::path> edits = wanted_edits(wanted);
    std::vector<Grade> grades;
    for (const fs::path& edit : edits) {
        grades.push_back(grade_edit(folders, edit));
        std::cout << workbook::edits::line_of(grades.back()) << std::endl;
    }
    bool right = std::ranges::all_of(grades, workbook::edits::is_satisfying);
    if (wanted.empty()) {
        for (const std::string& mistake : without_edit(edits)) {
            std::cout << mistake << ": NO WRONG SOLUTION\n";
            right = false;
        }
        for (const fs::path& file : files_in(source_dir / "tests/variants", ".cpp")) {
            right = is_accepted(folders, file) && right;
        }
        right = is_published(workbook::edits::table_of(grades)) && right;
    }
    std::cout << workbook::edits::summary_of(grades);
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        std::vector<std::string> wanted(argv + 1, argv + argc);
        grader::Folders folders = folders_in(source_dir, WORKBOOK_BUILD_DIR);
        if (wanted.size() > 1 && wanted.front() == "--in") {
            const fs::path copy = fs::absolute(wanted.at(1));
            folders = folders_in(copy, copy / "build" / "default");
            wanted.erase(wanted.begin(), wanted.begin() + 2);
        }
        const grader::BuildLock lock(folders.build);
        return run(folders, wanted);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 3;
    }
}
