/// @file
/// What one version of a file has in place of lines of another.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workbook::steps {

/// Lines of a file, without their ends.
using Lines = std::vector<std::string>;

/// Lines begin … end-1 of one file that stand as `lines` in another.
struct Hunk {
    std::size_t begin = 0;
    std::size_t end = 0;
    Lines lines;

    [[nodiscard]] bool is_insertion() const { return begin == end; }
    bool operator==(const Hunk&) const = default;
};

/// What makes one file of the other.
[[nodiscard]] std::vector<Hunk> hunks_between(const Lines& from, const Lines& to);

/// Whether both change the same lines. Neighbours do not collide: a skeleton's new first line of a function goes before
/// the learner's body.
[[nodiscard]] bool collide(const Hunk& one, const Hunk& other);

/// The file that hunks make of `base`.
/// @param hunks  in the order of their places
[[nodiscard]] Lines applied(const Lines& base, const std::vector<Hunk>& hunks);

}  // namespace workbook::steps
