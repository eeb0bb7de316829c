#include "app/run/allocations.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

namespace {

std::atomic<std::size_t> allocation_count{0};
std::atomic<std::size_t> allocated_bytes{0};
std::atomic<std::ptrdiff_t> live_bytes{0};
std::atomic<std::ptrdiff_t> peak_live_bytes{0};

std::ptrdiff_t block_size(void* block) {
#if defined(__APPLE__)
    return static_cast<std::ptrdiff_t>(malloc_size(block));
#else
    return static_cast<std::ptrdiff_t>(malloc_usable_size(block));
#endif
}

void* count_in(void* block, std::size_t size) {
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    ++allocation_count;
    allocated_bytes += size;
    const std::ptrdiff_t live = live_bytes += block_size(block);
    if (live > peak_live_bytes) {
        peak_live_bytes = live;
    }
    // Memory that nobody has written must not look harmless: as numbers these bytes are NaN.
    std::fill_n(static_cast<unsigned char*>(block), size, static_cast<unsigned char>(0xFF));
    return block;
}

void free_counted(void* block) {
    if (block != nullptr) {
        live_bytes -= block_size(block);
        std::free(block);
    }
}

void* allocate_aligned(std::size_t size, std::align_val_t alignment) {
    const auto align = static_cast<std::size_t>(alignment);
    return std::aligned_alloc(align, (size + align - 1) / align * align);  // the size has to be a multiple
}

// What the throwing form gives, or null.
template <class New>
void* or_null(const New& allocate) noexcept {
    try {
        return allocate();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace

// Replaces the global allocation functions of the program, in all forms: a library may bring its own of those that are
// left out, as AddressSanitizer does, and what one of them has allocated the other may not free.
void* operator new(std::size_t size) {
    return count_in(std::malloc(size == 0 ? 1 : size), size);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    return count_in(allocate_aligned(size == 0 ? 1 : size, alignment), size);
}

void* operator new[](std::size_t size) {
    return operator new(size);
}

void* operator new[](std::size_t size, std::align_val_t alignment) {
    return operator new(size, alignment);
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    return or_null([&] { return operator new(size); });
}

void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
    return or_null([&] { return operator new(size, alignment); });
}

void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    return or_null([&] { return operator new(size); });
}

void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
    return or_null([&] { return operator new(size, alignment); });
}

void operator delete(void* block) noexcept {
    free_counted(block);
}

void operator delete(void* block, std::size_t /*size*/) noexcept {
    free_counted(block);
}

void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
    free_counted(block);
}

void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
    free_counted(block);
}

void operator delete(void* block, const std::nothrow_t& /*tag*/) noexcept {
    free_counted(block);
}

void operator delete(void* block, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept {
    free_counted(block);
}

void operator delete[](void* block) noexcept {
    free_counted(block);
}

void operator delete[](void* block, std::size_t /*size*/) noexcept {
    free_counted(block);
}

void operator delete[](void* block, std::align_val_t /*alignment*/) noexcept {
    free_counted(block);
}

void operator delete[](void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
    free_counted(block);
}

void operator delete[](void* block, const std::nothrow_t& /*tag*/) noexcept {
    free_counted(block);
}

void operator delete[](void* block, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept {
    free_counted(block);
}

namespace workbook::grading {

Allocations count_allocations(const std::function<void()>& call) {
    const std::size_t count_before = allocation_count;
    const std::size_t bytes_before = allocated_bytes;
    const std::ptrdiff_t live_before = live_bytes;
    peak_live_bytes = live_before;
    call();
    return {allocation_count - count_before, allocated_bytes - bytes_before,
            static_cast<std::size_t>(peak_live_bytes - live_before)};
}

}  // namespace workbook::grading
