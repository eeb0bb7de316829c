/// @file
/// What mutants do wrong around a function's body, and which of them a program is. The text of mutants includes it.
#pragma once

#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "part2_kv_cache/kv_cache.hpp"

namespace workbook::mutants {

/// The program's name as it was called, which a symbolic link does not change.
[[nodiscard]] inline std::string program_name() {
#ifdef __APPLE__
    return getprogname();
#else
    return program_invocation_name;
#endif
}

/// The mutant that this program is: the number behind the last dash of its name; 0 when there is none.
[[nodiscard]] inline int chosen() {
    static const int number = [] {
        const std::string name = program_name();
        const std::size_t dash = name.rfind('-');
        return dash == std::string::npos ? 0 : std::atoi(name.c_str() + dash + 1);
    }();
    return number;
}

/// A number that is wrong by one, or the opposite.
template <std::integral T>
void spoil(T& result) {
    result = result == T{0} ? T{1} : static_cast<T>(result - 1);
}

template <std::floating_point T>
void spoil(T& result) {
    result += 1;
}

/// The last element of a tensor or a vector is wrong.
template <class T>
requires requires(T& tensor) {
    tensor.data();
}
void spoil(T& result) {
    if (result.size() > 0) {
        spoil(result.data()[result.size() - 1]);
    }
}

inline void spoil(Projected& result) {
    spoil(result.k);
}

/// Changes the last element of what is not to be changed.
template <class T>
requires requires(const T& tensor) {
    tensor.data();
}
void write_to(const T& input) {
    if (input.size() > 0) {
        const auto& last = input.data()[input.size() - 1];
        const_cast<std::remove_cvref_t<decltype(last)>&>(last) += 1;
    }
}

inline void write_to(const KeyValues& kv) {
    if (kv.batch() > 0) {
        write_to(kv.keys(kv.batch() - 1, kv.n_kv_heads() - 1));
    }
}

template <std::floating_point T>
void round_to_float(T& result) {
    result = static_cast<T>(static_cast<float>(result));
}

template <class T>
requires requires(T& tensor) {
    tensor.data();
}
void round_to_float(T& result) {
    for (auto& element : result) {
        round_to_float(element);
    }
}

inline void round_to_float(Projected& result) {
    round_to_float(result.q);
}

[[nodiscard]] inline std::size_t largest(const Lengths& lengths) {
    return lengths.empty() ? 0 : std::ranges::max(lengths);
}

[[nodiscard]] inline std::size_t longest(const KeyValues& kv) {
    std::size_t length = 0;
    for (std::size_t b = 0; b < kv.batch(); ++b) {
        length = std::max(length, kv.kv_len(b));
    }
    return length;
}

/// Results by the extents of the call.
template <class Result>
class Remembered {
public:
    template <class Compute>
    Result at(const std::vector<std::size_t>& extents, const Compute& compute) {
        const auto found = results_.find(extents);
        return found != results_.end() ? found->second : results_.emplace(extents, compute()).first->second;
    }

private:
    std::map<std::vector<std::size_t>, Result> results_;
};

}  // namespace workbook::mutants
