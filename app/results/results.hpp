/// @file
/// What grading gives: tests, steps and parts with their results. Data only; the graded programs share it.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace workbook::app {

/// What passing a test is needed for.
enum class Level { hire, strong_hire };

/// A graded test, as its program lists it.
struct GradedTest {
    std::string suite;
    std::string name;
    std::string step;  ///< "1.3"
    Level level = Level::hire;
    int points = 0;
    std::string place{};  ///< "tests/part1/….cpp:67"

    /// The name as a sentence: "SoftmaxRows normalises rows and not columns".
    [[nodiscard]] std::string sentence() const;
};

/// How a graded test went.
enum class Outcome { passed, failed, not_attempted, skipped };

/// Why a function that a test needs gives no answer: its body is empty, the file does not define it with the parameters
/// that it has to have, or it is in a step that does not compile.
enum class Lack { empty, undefined, uncompiled };

/// A graded test with its result.
struct TestResult {
    GradedTest test;
    Outcome outcome = Outcome::failed;
    std::string missing_step;           ///< when not attempted: the step of what is missing, "3.1"
    std::string missing_function;       ///< the function that is missing, "kv_head_of"; empty when the whole step is
    Lack lack = Lack::empty;            ///< why it is missing
    std::vector<std::string> failures;  ///< when failed: what was expected and what came
    std::string remark;                 ///< what the test itself has to say
    std::string output;                 ///< what the program printed
    std::set<std::string> suspects;     ///< when failed: mistakes, or pairs of them, that give all its wrong answers
    std::set<std::string> refuted;      ///< questioned suspects that would have got a right answer of it wrong
    std::set<std::string> contrary;     ///< questioned suspects that do not give some wrong answer of it
    bool unexplained = false;           ///< when failed: no known mistake gives all its wrong answers
    int compared = 0;                   ///< answers that were compared with what was expected
    bool out_of_time = false;           ///< when failed: it was ended because its time was up
    bool crashed = false;               ///< when failed: a signal ended it

    /// Whether what is missing belongs to the test's own step.
    [[nodiscard]] bool misses_own_step() const;
    /// "3.1 kv_head_of", or "3.1" when the whole step is missing; empty unless it is not attempted.
    [[nodiscard]] std::string missing() const;
    /// "3.1 kv_head_of is not implemented yet"; empty unless it is not attempted.
    [[nodiscard]] std::string missing_text() const;
};

/// "hire", "strong hire".
[[nodiscard]] std::string level_text(Level level);

/// "LetsNeighboursShareAHead" as "lets neighbours share a head".
[[nodiscard]] std::string words_of(const std::string& camel_case);

/// Where a learner's file has something, and what it is.
struct Found {
    std::string place;      ///< "answer.cpp:20"; empty when there is nothing
    std::string signature;  ///< "int kv_head(int x)"
};

/// A finding: what gives the wrong answers of some tests.
struct Finding {
    /// Ids of mistakes, or of pairs that are made at once ("a+b"); several when no answer so far tells them apart.
    std::vector<std::string> mistakes;
    std::vector<std::string> tests;          ///< sentences of the tests it explains
    std::vector<std::string> unexplained{};  ///< sentences of tests with wrong answers that the mistake does not give
    std::vector<std::string> refuting{};     ///< sentences of tests with right answers that the mistake gets wrong
    Found seen{};                            ///< the line that speaks for it, where no answer does: the code crashed

    /// Whether it comes from answers, and no answer speaks against it.
    [[nodiscard]] bool is_firm() const { return unexplained.empty() && refuting.empty() && seen.place.empty(); }
};

/// A function that a learner's file does not define, or with other parameters.
struct UndefinedFunction {
    std::string name;       ///< "kv_head_of"
    std::string signature;  ///< that it has to have, in one line; empty when it is not known
    Found resembling{};     ///< what in the file comes close
};

/// A step that was left out of a learner's file because it does not compile.
struct UncompiledStep {
    std::string step;    ///< "2.2"
    std::string file;    ///< as messages call it
    std::string errors;  ///< what the compiler says
};

/// The results of one step, in order.
struct StepResult {
    std::string step;   ///< "1.3"
    std::string title;  ///< "one head"
    std::vector<TestResult> tests;
    std::vector<Finding> findings{};             ///< what explains the failed ones
    bool compiles = true;                        ///< if not, it was graded as if it were not there
    std::vector<UndefinedFunction> undefined{};  ///< those of the step that its tests needed

    [[nodiscard]] int count(Outcome outcome) const;
    [[nodiscard]] int points() const;      ///< of the passed tests
    [[nodiscard]] int max_points() const;  ///< of all tests
    [[nodiscard]] bool attempted() const;  ///< some test got as far as the learner's code, or it does not compile
    [[nodiscard]] bool begun() const;      ///< attempted, or its functions are not defined as they have to be
    [[nodiscard]] bool passed() const;     ///< nothing failed, nothing is missing
};

/// A part, graded.
struct PartResult {
    std::string part;         ///< its name: "1", "streaming"
    std::string heading;      ///< "Part 1: causal multi-head attention"
    std::string title;        ///< "causal multi-head attention"
    std::string graded_from;  ///< which file the graded part came from
    std::string others_from;  ///< what it was linked with
    std::string scope;        ///< what of it was graded: "step 2.3"; empty for all, on which alone there is a verdict
    /// Why there are no steps: "does not build", "builds, but does not start" or "is not graded"; mostly empty.
    std::string obstacle;
    std::string build_errors;                ///< what the obstacle is in detail
    std::string build_log;                   ///< when it does not build: everything the build printed
    std::string to_fix;                      ///< the file that the build errors are about
    std::string warnings;                    ///< the compiler's warnings about the file
    int worth = 0;                           ///< points of all its tests, also when none has run
    std::vector<UncompiledStep> uncompiled;  ///< steps that the rest was graded without
    std::vector<StepResult> steps;

    [[nodiscard]] bool passed() const;
    [[nodiscard]] int points() const;
    [[nodiscard]] int max_points() const;
    [[nodiscard]] int steps_passed() const;
    [[nodiscard]] int n_steps() const;
    [[nodiscard]] int compared() const;  ///< answers that its tests have compared
};

/// Whether a step of the part passes.
[[nodiscard]] bool has_passed(const PartResult& part, const std::string& step);

/// "not attempted", "not defined", "does not compile" or "4 of 9 tests".
[[nodiscard]] std::string state_of(const StepResult& step);

}  // namespace workbook::app
