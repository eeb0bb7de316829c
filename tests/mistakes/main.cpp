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

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/build/build.hpp"
#include "app/judge/check.hpp"
#include "app/run/suite.hpp"
#include "reference/mistakes/documents.hpp"
#include "tests/mistakes/batch.hpp"
#include "tests/mistakes/page.hpp"
#include "tests/mistakes/published.hpp"
#include "tests/mistakes/table.hpp"

namespace {

namespace fs = std::filesystem;
namespace app = workbook::app;
using workbook::edits::Grade;
using workbook::edits::WrongSolution;
using workbook::mistakes::Document;
using workbook::mistakes::NamedEdit;

const fs::path source_dir = WORKBOOK_SOURCE_DIR;

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

app::PartResult grade(const app::Project& project, const fs::path& file, const std::string& part,
                      const std::vector<std::string>& steps = {}) {
    app::Request request;
    request.file = file;
    request.steps = steps;
    return app::check_part(project, request, project.part(part));
}

// Grades a solution with the edits of a batch.
std::vector<Grade> grade_batch(const app::Project& project, const std::vector<WrongSolution>& batch) {
    const workbook::edits::Edit& first = batch.front().edit;
    const fs::path file = project.build / "graded" / "wrong.cpp";
    std::ofstream(file) << workbook::edits::text_of(batch, app::read_file(source_dir / first.base));
    const app::PartResult result = grade(project, file, first.part(), workbook::edits::steps_of(batch));
    std::vector<Grade> grades;
    for (const WrongSolution& wrong : batch) {
        grades.push_back(workbook::edits::graded(wrong, result));
        std::cout << workbook::edits::line_of(grades.back()) << std::endl;
    }
    return grades;
}

// Grades a right solution: full marks, and no mistake named.
bool is_accepted(const app::Project& project, const fs::path& file) {
    const std::string part = workbook::edits::part_of_answer(file);
    const app::PartResult result = grade(project, file, part);
    const bool accused =
        std::ranges::any_of(result.steps, [](const app::StepResult& step) { return !step.findings.empty(); });
    const bool right = result.passed() && !accused;
    std::cout << file.stem().string() << ": " << (right ? "full marks" : "NOT ACCEPTED") << std::endl;
    if (!right) {
        app::print(std::cout, result, {}, true);
    }
    return right;
}

WrongSolution wrong_solution(const Document& document, const NamedEdit& edit) {
    try {
        WrongSolution wrong{edit.name, workbook::edits::parse_edit(edit.text), {}};
        wrong.steps = workbook::edits::steps_of(wrong.edit, app::read_file(source_dir / wrong.edit.base));
        return wrong;
    } catch (const workbook::edits::EditError& error) {
        throw workbook::mistakes::DocumentError(document.file, edit.line, error.what());
    }
}

// Those whose mistakes are among `wanted`; all when nothing is.
std::vector<WrongSolution> wrong_solutions(const std::vector<std::string>& wanted) {
    std::vector<WrongSolution> found;
    for (const Document& document : workbook::mistakes::read_documents(source_dir / "reference/mistakes")) {
        if (wanted.empty() || std::ranges::find(wanted, document.id) != wanted.end()) {
            for (const NamedEdit& edit : document.edits) {
                found.push_back(wrong_solution(document, edit));
            }
        }
    }
    return found;
}

int run(const app::Project& project, const std::vector<std::string>& wanted) {
    const std::vector<WrongSolution> wrong = wrong_solutions(wanted);
    std::vector<Grade> grades;
    for (const auto& batch : workbook::edits::batches_of(wrong)) {
        std::ranges::move(grade_batch(project, batch), std::back_inserter(grades));
    }
    std::ranges::sort(grades, {}, &Grade::name);
    bool right = std::ranges::all_of(grades, workbook::edits::is_satisfying);
    if (wanted.empty()) {
        for (const fs::path& file : files_in(source_dir / "tests/variants", ".cpp")) {
            right = is_accepted(project, file) && right;
        }
        const auto tests = app::list_tests(project.solutions, project.source);
        right = workbook::edits::is_published(source_dir / "docs/pages/mistakes-by-test.md", WORKBOOK_BUILD_DIR,
                                              workbook::edits::page_of(grades, tests)) &&
                right;
    }
    std::cout << workbook::edits::summary_of(grades);
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        std::vector<std::string> wanted(argv + 1, argv + argc);
        app::Project project(source_dir, WORKBOOK_BUILD_DIR);
        if (wanted.size() > 1 && wanted.front() == "--in") {
            const fs::path copy = fs::absolute(wanted.at(1));
            project = app::Project(copy, copy / "build" / "default");
            wanted.erase(wanted.begin(), wanted.begin() + 2);
        }
        const app::BuildLock lock(project.build);
        return run(project, wanted);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 3;
    }
}
