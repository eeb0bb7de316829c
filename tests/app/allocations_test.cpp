#include "app/run/allocations.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <new>

namespace {

using workbook::grading::Allocations;
using workbook::grading::count_allocations;

// Bytes with an alignment that malloc does not give anyway.
struct alignas(64) Line {
    unsigned char bytes[64];
};

// Passes a pointer on in a way that the compiler cannot see through: it may leave out a pair of new and delete.
template <class T>
T* kept(T* pointer) {
    T* volatile hidden = pointer;
    return hidden;
}

TEST(Allocations, CountEveryFormOfNew) {
    const Allocations counted = count_allocations([] {
        delete kept(::new std::byte);
        delete[] kept(::new std::byte[100]);
        delete kept(::new (std::nothrow) std::byte);
        delete[] kept(::new (std::nothrow) std::byte[100]);
        delete kept(::new Line);
        delete[] kept(::new Line[2]);
        delete kept(::new (std::nothrow) Line);
        delete[] kept(::new (std::nothrow) Line[2]);
    });
    EXPECT_EQ(counted.count, 8);
    EXPECT_EQ(counted.total_bytes, 2 * (1 + 100 + 64 + 128));
    EXPECT_GE(counted.peak_bytes, 128);
    EXPECT_LT(counted.peak_bytes, 2 * 128);
}

TEST(Allocations, GiveNullWhereNothingMayBeThrown) {
    volatile std::size_t too_much = static_cast<std::size_t>(-1) / 2;
    const Allocations counted = count_allocations([&] {
        EXPECT_EQ(::operator new(too_much, std::nothrow), nullptr);
        EXPECT_EQ(::operator new[](too_much, std::nothrow), nullptr);
    });
    EXPECT_EQ(counted.count, 0);
    EXPECT_THROW((void)kept(::operator new(too_much)), std::bad_alloc);
}

}  // namespace
