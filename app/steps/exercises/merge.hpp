/// @file
/// Brings a learner's file up to a new skeleton, and keeps what the learner wrote.
#pragma once

#include <string>
#include <vector>

namespace workbook::steps {

/// A learner's file on a new skeleton.
struct Merged {
    std::string text;
    /// Whether the skeleton changed lines that the learner changed too. The learner's are kept.
    bool both_changed = false;
    std::vector<std::string> new_steps;   ///< that neither the old skeleton nor the learner's file has
    std::vector<std::string> gone_steps;  ///< that the learner's file still has, though the new skeleton does not
};

/// Whether a learner's file began as the skeleton `one` rather than as `other`: it has more of the lines that only the
/// one has than of those that only the other has, each as a fraction.
[[nodiscard]] bool began_rather_as(const std::string& one, const std::string& other, const std::string& mine);

/// The learner's file with what is new in the skeleton. Nothing that the learner wrote is left out; neither is an
/// #include that the new skeleton does without, as the learner's code may need it.
/// @param base      the skeleton that the learner started from
/// @param mine      the learner's file
/// @param skeleton  the new one
[[nodiscard]] Merged merged(const std::string& base, const std::string& mine, const std::string& skeleton);

/// A file from which a step was taken.
struct Taken {
    std::string rest;   ///< the file, with the step as the old skeleton has it
    std::string moved;  ///< the new home of the step, with the learner's code in it; empty when that did not work
};

/// The steps in which the learner's file is not what the skeleton has.
[[nodiscard]] std::vector<std::string> written_steps(const std::string& skeleton, const std::string& mine);

/// Moves a step of one function, with helpers around it, to another file whose only step is a function of the same
/// parameters.
/// @param step  its number in the learner's file, such as "3.5"
/// @param home  the skeleton that has it now
[[nodiscard]] Taken take_step(const std::string& base, const std::string& mine, const std::string& step,
                              const std::string& home);

}  // namespace workbook::steps
