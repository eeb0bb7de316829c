// The middle of measurements.
#include "app/base/median.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace workbook::app {
namespace {

TEST(Median, IsTheNumberInTheMiddle) {
    EXPECT_EQ(median({3, 100, 1}), 3);
    EXPECT_EQ(median({4, 1, 3, 2}), 3);
    EXPECT_EQ(median({7}), 7);
}

TEST(Median, OfNothingIsRefused) {
    EXPECT_THROW((void)median({}), std::invalid_argument);
}

}  // namespace
}  // namespace workbook::app
