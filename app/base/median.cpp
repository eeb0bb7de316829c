#include "app/base/median.hpp"

#include <algorithm>
#include <stdexcept>

namespace workbook::app {

double median(std::vector<double> numbers) {
    if (numbers.empty()) {
        throw std::invalid_argument("median: at least one number was expected, got none");
    }
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
}

}  // namespace workbook::app
