#include "grading.hpp"

#include <array>
#include <fstream>
#include <sstream>

namespace workbook::grader {

namespace fs = std::filesystem;

fs::path source_folder() {
    return WORKBOOK_SOURCE_DIR;
}

fs::path build_folder() {
    return WORKBOOK_BUILD_DIR;
}

std::string contents(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::string solution_with(int part, const std::string& from, const std::string& to) {
    const std::array<const char*, 3> folders{"part1_mha", "part2_kv_cache", "part3_gqa"};
    std::string text = contents(source_folder() / folders.at(static_cast<std::size_t>(part - 1)) / "solution.cpp");
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

RunResult check(int part, const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    std::vector<std::string> command{(build_folder() / "bin" / "grader").string(), "check", std::to_string(part)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, {}, {}, {"", "", environment});
}

RunResult grade(int part, const std::string& text, const std::vector<std::string>& environment) {
    fs::create_directories(answer_file().parent_path());
    if (contents(answer_file()) != text) {  // an untouched file is not compiled again
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

}  // namespace workbook::grader
