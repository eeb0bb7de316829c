#include "reference/closeness.hpp"

#include <algorithm>
#include <cmath>

#include "part1_mha/scalar.hpp"

namespace workbook::reference {

double tolerance() {
    return sizeof(Scalar) == sizeof(double) ? 1e-10 : 2e-4;
}

bool is_close(double actual, double expected) {
    return actual == expected || std::abs(actual - expected) <= tolerance() * std::max(1.0, std::abs(expected));
}

}  // namespace workbook::reference
