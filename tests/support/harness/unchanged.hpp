/// @file
/// Notices when a call changes what it was given.
#pragma once

#include <functional>
#include <string>

namespace workbook::grading {

/// While it lives, an input of the tested code. Its bytes are compared with those at the start when an answer is
/// weighed, and at the end; a difference fails the test and is named as what it is, whatever else the answers look
/// like.
class Unchanged {
public:
    /// @param name   of the input, as the failure calls it
    /// @param input  a tensor or a vector; has to outlive this object
    template <class Input>
    Unchanged(std::string name, const Input& input)
        : name_(std::move(name)), bytes_([&input] { return bytes_of(input); }) {
        watch();
    }
    Unchanged(const Unchanged&) = delete;
    Unchanged& operator=(const Unchanged&) = delete;
    ~Unchanged();

private:
    friend bool inputs_have_changed();

    template <class Input>
    static std::string bytes_of(const Input& input) {
        return {reinterpret_cast<const char*>(input.data()), input.size() * sizeof(*input.data())};
    }

    void watch();
    // Reports a change once.
    bool has_changed();

    std::string name_;
    std::function<std::string()> bytes_;
    std::string before_ = bytes_();
    bool reported_ = false;
};

/// Whether one of the inputs that are watched at the moment is not what it was. Reports it.
[[nodiscard]] bool inputs_have_changed();

}  // namespace workbook::grading
