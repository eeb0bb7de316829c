#include "commands.hpp"

#include <algorithm>
#include <iostream>

#include "backup.hpp"
#include "build.hpp"
#include "files.hpp"
#include "hints.hpp"
#include "json_report.hpp"
#include "junit_report.hpp"
#include "own.hpp"

namespace workbook::grader {

namespace fs = std::filesystem;

void expect_step(const Folders& folders, const std::string& step) {
    std::string all;
    for (const int part : {1, 2, 3}) {
        for (const auto& [number, title] : titles_of(folders, part)) {
            if (number == step) {
                return;
            }
            all += "\n  " + number + "  " + title;
        }
    }
    throw WrongUse("There is no step " + step + ". The steps are:" + all);
}

int check(const Folders& folders, const Request& request, const Output& output) {
    const BuildLock lock(folders.build);
    std::vector<PartResult> results;
    for (const int part : request.parts) {
        results.push_back(grade(folders, request, part));
        if (!output.json) {
            print(std::cout, results.back(), style_of_output(), output.verbose);
            std::cout << std::endl;
        }
        if (request.source == Source::all_mine && !results.back().build_errors.empty()) {
            break;  // one program has all three files, so the other parts would say the same
        }
    }
    const NextStep next = next_step(folders, request, results);
    if (output.json) {
        print_json(std::cout, results, next.sentence);
    } else if (!next.sentence.empty()) {
        std::cout << wrapped(next.sentence + ", then run the same command again.", "");
        if (!next.step.empty()) {
            std::cout << "For a hint: ./workbook hint " << next.step << "\n";
        }
    }
    if (!output.junit.empty()) {
        write_junit(output.junit, results);
    }
    return std::ranges::all_of(results, &PartResult::passed) ? all_passed : not_all_passed;
}

int hint(const Folders& folders, const std::string& step) {
    expect_step(folders, step);
    std::cout << next_hint(folders, step, style_of_output());
    return all_passed;
}

int reset(const Folders& folders, int part) {
    const fs::path file = exercise_of(folders, part);
    const std::string name = exercise_name(folders, part);
    const std::string skeleton = skeleton_of(folders, part);
    if (!fs::exists(file)) {
        write_atomically(file, skeleton);
        std::cout << name << " was missing; the empty exercise is there now.\n";
        return all_passed;
    }
    if (is_untouched(folders, part)) {
        std::cout << name << " is the empty exercise already; nothing to do.\n";
        return all_passed;
    }
    if (!confirmed("Empty " + name + "? Your file is kept as a backup.")) {
        std::cout << "Nothing was changed.\n";
        return not_all_passed;
    }
    const fs::path kept = replace_with_backup(file, skeleton, backup_name(folders, part));
    const std::string kept_name = fs::relative(kept, folders.source).string();
    std::cout << name << " is the empty exercise now.\nYour file is kept; to get it back, here in "
              << folders.source.string() << ":\n  cp " << kept_name << " " << name << "\n";
    return all_passed;
}

int start(const Folders& folders, int part, bool carry) {
    Progress progress(folders.source);
    progress.start(part, carry);
    progress.save();
    const Style style = style_of_output();
    const auto [step, title] = *titles_of(folders, part).begin();
    std::cout << style.bold("Part " + std::to_string(part) + ": " + part_title(part)) << "\n"
              << "  the question:  " << folders.part(part).filename().string() << "/README.md\n"
              << "  you fill in:   " << exercise_name(folders, part) << "\n"
              << "  first step:    " << step << "  " << title << "\n"
              << "  graded with:   "
              << (carry ? "your own files of the other parts" : "worked solutions of the other parts") << "\n";
    for (const int other : {1, 2, 3}) {
        if (carry && other < part && is_untouched(folders, other)) {
            std::cout << style.open("  still empty:   ") << exercise_name(folders, other) << ", which part " << part
                      << " needs\n";
        }
    }
    std::cout << "\nRead the question, then keep this open beside your editor:\n  ./workbook watch\n";
    return all_passed;
}

}  // namespace workbook::grader
