#include "app/results/exception_text.hpp"

#include <algorithm>
#include <vector>

#include "app/base/pattern.hpp"

namespace workbook::grading {

namespace {

// A message of a library, and what to say of it. $1, $2, … are what the pattern's brackets matched.
struct Meaning {
    app::Pattern pattern;
    std::string text;
};

const std::vector<Meaning>& meanings() {
    static const std::vector<Meaning> all{
        // A reduction per row used without viewing it as a column: [R, S] meets [R].
        {app::Pattern(R"(Incompatible dimension of arrays:\s*LHS shape = \((\d+), (\d+), \)\s*RHS shape = \(\1, \))"),
         "Shapes [$1, $2] and [$1] meet in one expression. Axes are lined up from the last one, so a result per row "
         "has to be viewed as a column: xt::view(r, xt::all(), xt::newaxis())."},
        {app::Pattern(R"(Incompatible dimension of arrays:\s*LHS shape = \(([^)]*), \)\s*RHS shape = \(([^)]*), \))"),
         "Shapes [$1] and [$2] meet in one expression. Axes are lined up from the last one, and two extents have to "
         "be equal, or one of them 1. If one side is a view: an xt::range beyond the end is cut off without a word."},
        {app::Pattern(R"(index (\d+) is out of bounds for axis (\d+) with size (\d+))"),
         "An element is asked for with index $1 on axis $2, which has $3 elements, counted from 0."},
        {app::Pattern("Permutation (contains wrong axis|does not have the same size as shape)"),
         "The permutation of xt::transpose has to name every axis of the tensor once, as in {0, 2, 1, 3}."},
        {app::Pattern("Shape mismatch"), "A reshape asks for a different number of elements than the tensor has."},
        {app::Pattern(R"(ax_el < expr\.dimension\(\))"),
         "A reduction names an axis that the tensor does not have. Axes are counted from 0."},
        {app::Pattern("No valid layout chosen"),
         "A matrix product got a view that is not one block of memory. Copy it into a Matrix first, or use "
         "view_heads."},
        {app::Pattern("_M_range_check"), "An index is beyond the end of a std::vector."},
        {app::Pattern("cannot create std::vector larger than max_size|_M_default_append"),
         "A std::vector was asked to have an enormous size: often an unsigned number that went below 0."},
    };
    return all;
}

}  // namespace

std::string explained(const std::exception& error) {
    std::string message = error.what();
    for (const Meaning& meaning : meanings()) {
        if (const auto match = meaning.pattern.search(message)) {
            return message + "\n" + meaning.pattern.replaced((*match)[0], meaning.text);
        }
    }
    return message;
}

bool comes_from_library(const std::exception& error) {
    const std::string message = error.what();
    return message.find("/xtensor/") != std::string::npos ||
           std::ranges::any_of(meanings(),
                               [&](const Meaning& meaning) { return meaning.pattern.search(message).has_value(); });
}

}  // namespace workbook::grading
