// The floors for one instruction set: compiled once for each, like vector_code_level.cpp, without std::array as there.
// NOLINTBEGIN(modernize-avoid-c-arrays)
#include <xsimd/xsimd.hpp>

#include "app/bench/floor/floor_code.hpp"

namespace workbook::bench::WORKBOOK_LEVEL {

namespace {

using Vector = xsimd::batch<Scalar>;
constexpr std::size_t lanes = Vector::size;
constexpr std::size_t chains = 12;  // independent sums: enough to hide the latency of an addition

Scalar total(const Vector (&sums)[chains]) {
    Scalar result = 0;
    for (const Vector& sum : sums) {
        Scalar of_lanes[lanes];
        sum.store_unaligned(of_lanes);
        for (const Scalar of_lane : of_lanes) {
            result += of_lane;
        }
    }
    return result;
}

Scalar read(const Scalar* data, std::size_t count) {
    Vector sums[chains];
    for (Vector& sum : sums) {
        sum = Vector(Scalar{0});
    }
    for (std::size_t i = 0; i + chains * lanes <= count; i += chains * lanes) {
        for (std::size_t c = 0; c < chains; ++c) {
            sums[c] += Vector::load_unaligned(data + i + c * lanes);
        }
    }
    return total(sums);
}

// A number that the compiler does not know: with a known one it leaves out a chain whose sum stays what it is.
const volatile Scalar unknown = static_cast<Scalar>(0.999);

Scalar multiply_adds(std::size_t count) {
    Vector sums[chains];
    for (std::size_t c = 0; c < chains; ++c) {
        sums[c] = Vector(static_cast<Scalar>(c));
    }
    const Vector factor(unknown);
    const Vector summand(static_cast<Scalar>(0.001));
    for (std::size_t i = 0; i < count; i += chains * lanes) {
        for (Vector& sum : sums) {
            sum = xsimd::fma(sum, factor, summand);
        }
    }
    return total(sums);
}

}  // namespace

extern const FloorCode code;
const FloorCode code{read, multiply_adds};

}  // namespace workbook::bench::WORKBOOK_LEVEL
// NOLINTEND(modernize-avoid-c-arrays)
