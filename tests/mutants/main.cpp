// Grades mutants of right answers: the answer with one small change in one function.
//   grade_mutants                   all of them
//   grade_mutants 1.3 cliff …       of some steps, by some operators, of some answers
//   grade_mutants --names …         names the mistakes too, which takes longer: build/default/mutants.txt has them
// Exit code 0 when each of them fails, or does not compile, or is on the list of those that are excused.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "app/build/build.hpp"
#include "tests/mistakes/published.hpp"
#include "tests/mutants/grader.hpp"

namespace {

namespace app = workbook::app;
namespace fs = std::filesystem;
using workbook::mutants::Equivalent;
using workbook::mutants::Fate;
using workbook::mutants::Graded;
using workbook::mutants::Mutant;

const fs::path project_folder = WORKBOOK_SOURCE_DIR;

// An answer to this step is a test itself: with other tokens, cuts or bounds it is as right as before.
constexpr const char* own_check = "2.5";

// What is mutated: the worked answers, and those in plain loops.
struct Answer {
    std::string part;
    std::string file;
    bool is_worked = false;
};

std::vector<Answer> answers(const app::Project& project) {
    std::vector<Answer> all;
    for (const app::Part& part : project.all()) {
        all.push_back({part.name, part.solution(), true});
        all.push_back({part.name, part.is_follow_up ? "tests/variants/streaming_one_key_at_a_time.cpp"
                                                    : "tests/variants/part" + part.name + "_plain_loops.cpp"});
    }
    return all;
}

bool is_wanted(const std::vector<std::string>& wanted, const std::string& name) {
    return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
}

// What is asked for.
struct Selection {
    std::vector<std::string> steps, operations, answers;
    bool naming = false;

    [[nodiscard]] bool is_everything() const { return steps.empty() && operations.empty() && answers.empty(); }
};

Selection selection(const std::vector<std::string>& words) {
    Selection selected;
    for (const std::string& word : words) {
        if (word == "--names") {
            selected.naming = true;
            continue;
        }
        const bool is_step = word.find('.') != std::string::npos;
        (word.ends_with(".cpp") ? selected.answers : is_step ? selected.steps : selected.operations).push_back(word);
    }
    return selected;
}

std::vector<std::vector<Mutant>> batches(const app::Project& project, const Selection& selected) {
    std::vector<std::vector<Mutant>> all;
    for (const Answer& answer : answers(project)) {
        for (const auto& [step, title] : project.step_titles(project.part(answer.part))) {
            if (step == own_check || !is_wanted(selected.steps, step) || !is_wanted(selected.answers, answer.file)) {
                continue;
            }
            std::vector<Mutant> mutants = workbook::mutants::mutants_of(
                answer.file, app::read_file(project_folder / answer.file), step, selected.operations);
            if (!answer.is_worked) {
                // What is wrong around a function is wrong around any other that gives the same.
                std::erase_if(mutants, [](const Mutant& mutant) { return mutant.before.empty(); });
            }
            if (!mutants.empty()) {
                all.push_back(std::move(mutants));
            }
        }
    }
    return all;
}

// Listed mutants that are killed, or that there are not any more.
bool is_list_right(const std::vector<Equivalent>& equivalents, const std::vector<Graded>& all, bool everything) {
    bool right = true;
    for (const Equivalent& one : equivalents) {
        const auto found = std::ranges::find_if(all, [&](const Graded& graded) { return one.is(graded.mutant); });
        const bool is_missing = found == all.end();
        if (is_missing ? everything : found->fate != Fate::equivalent) {
            std::cout << (is_missing ? "LISTED, BUT NOT THERE: " : "LISTED, BUT NOT EQUIVALENT: ") << one.function
                      << "\n"
                      << one.lines;
            right = false;
        }
    }
    return right;
}

int run(const app::Project& project, const Selection& selected) {
    const std::vector<Equivalent> equivalents =
        workbook::mutants::parse_equivalents(app::read_file(project_folder / "tests/mutants/equivalent.md"));
    std::vector<Graded> all;
    std::ofstream report(project.build / "mutants.txt");
    for (const std::vector<Mutant>& batch : batches(project, selected)) {
        const std::vector<Graded> graded = workbook::mutants::grade(project, batch, equivalents, selected.naming);
        for (const Graded& one : graded) {
            report << one.line() << std::endl;
            if (one.fate == Fate::survived) {
                std::cout << one.line() << "\n";
            }
        }
        std::cout << batch.front().base << " " << batch.front().step << ": " << workbook::mutants::summary_of(graded)
                  << std::flush;
        all.insert(all.end(), graded.begin(), graded.end());
    }
    bool right = is_list_right(equivalents, all, selected.is_everything());
    if (selected.is_everything()) {
        right = workbook::edits::is_published(project_folder / "docs/pages/mutants.md", project.build,
                                              workbook::mutants::page_of(all)) &&
                right;
    }
    std::cout << workbook::mutants::summary_of(all);
    return right && std::ranges::find(all, Fate::survived, &Graded::fate) == all.end() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const app::Project project(project_folder, WORKBOOK_BUILD_DIR);
        const app::BuildLock lock(project.build);
        return run(project, selection({argv + 1, argv + argc}));
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 3;
    }
}
