#include "tests/app/grading.hpp"

#include <fstream>

#include "app/base/files.hpp"
#include "app/steps/project.hpp"

namespace workbook::app {

namespace fs = std::filesystem;

fs::path source_folder() {
    return WORKBOOK_SOURCE_DIR;
}

fs::path build_folder() {
    return WORKBOOK_BUILD_DIR;
}

std::string solution_with(const std::string& part, const std::string& from, const std::string& to) {
    const Project project(source_folder(), build_folder());
    std::string text = read_file(project.solution(project.part(part)));
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
        ADD_FAILURE() << "the solution of part " << part << " has no text: " << from;
        return text;
    }
    return text.replace(at, from.size(), to);
}

fs::path answer_file() {
    return build_folder() / "graded" / "answer.cpp";
}

RunResult check(const std::string& part, const std::vector<std::string>& arguments,
                const std::vector<std::string>& environment) {
    std::vector<std::string> command{(build_folder() / "bin" / "workbook").string(), "check", part};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, {}, {}, {"", "", environment});
}

RunResult grade(const std::string& part, const std::string& text, const std::vector<std::string>& environment) {
    fs::create_directories(answer_file().parent_path());
    if (read_file(answer_file()) != text) {  // an untouched file is not compiled again
        std::ofstream(answer_file()) << text;
    }
    return check(part, {"--file", answer_file().string()}, environment);
}

void expect_text(const RunResult& result, const std::string& text) {
    EXPECT_NE(result.output.find(text), std::string::npos) << "expected: " << text << "\ngot:\n" << result.output;
}

void expect_no_text(const RunResult& result, const std::string& text) {
    EXPECT_EQ(result.output.find(text), std::string::npos) << "unexpected: " << text << "\ngot:\n" << result.output;
}

}  // namespace workbook::app
