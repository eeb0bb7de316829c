/// @file
/// Calls that would exceed a cache's capacity have to be refused, and nothing may have changed then.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>

#include "app/results/exception_text.hpp"
#include "part1_mha/step.hpp"
#include "part2_kv_cache/kv_cache.hpp"
#include "tests/support/answer.hpp"

namespace workbook::grading {

/// `call` throws std::length_error; a step that is not implemented passes through.
template <class Call>
void expect_overflow_refused(const char* what, Call call) {
    try {
        call();
    } catch (const NotImplemented&) {
        throw;
    } catch (const std::length_error&) {
        return;
    } catch (const std::exception& error) {
        // Without a check, xtensor complains about a shape or an index.
        blame(comes_from_library(error) ? "refusal_missing" : "wrong_exception");
        ADD_FAILURE() << what << " has to throw std::length_error; it threw something else:\n  " << error.what();
        return;
    }
    blame("refusal_missing");
    ADD_FAILURE() << what << " has to throw std::length_error; nothing was thrown";
}

/// After a refused call the cache is what it was.
inline void expect_unchanged(const KVCache& cache, const Lengths& lengths, const Tensor<4>& keys,
                             const Tensor<4>& values) {
    const bool same_lengths = cache.lengths() == lengths;
    if (!same_lengths || cache.keys() != keys || cache.values() != values) {
        blame("refusal_too_late");
        ADD_FAILURE() << "the refused call has changed " << (same_lengths ? "slots" : "the lengths") << " of the cache";
    }
}

}  // namespace workbook::grading
