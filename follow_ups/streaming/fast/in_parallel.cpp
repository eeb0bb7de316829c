#include "follow_ups/streaming/fast/in_parallel.hpp"

#include <cblas.h>

#include <exception>
#include <stdexcept>
#include <string>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace workbook {

namespace {

#ifdef _OPENMP
constexpr bool has_threads = true;
#else
constexpr bool has_threads = false;
#endif

// OpenBLAS has threads of its own. While jobs run side by side, each multiplies in its own thread alone.
class OneBlasThread {
public:
    OneBlasThread() { openblas_set_num_threads(1); }
    OneBlasThread(const OneBlasThread&) = delete;
    OneBlasThread& operator=(const OneBlasThread&) = delete;
    ~OneBlasThread() { openblas_set_num_threads(before_); }

private:
    int before_ = openblas_get_num_threads();
};

void run_side_by_side(std::size_t count, const std::function<void(std::size_t)>& job) {
    const OneBlasThread one;
    std::exception_ptr thrown;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (std::size_t i = 0; i < count; ++i) {
        try {
            job(i);
        } catch (...) {  // an exception must not leave the loop of a thread
#ifdef _OPENMP
#pragma omp critical
#endif
            thrown = std::current_exception();
        }
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

}  // namespace

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& job) {
    if (has_threads && count > 1) {
        run_side_by_side(count, job);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        job(i);
    }
}

void set_threads(int count) {
    if (count < 1) {
        throw std::invalid_argument("set_threads: count: expected at least 1, got " + std::to_string(count));
    }
#ifdef _OPENMP
    omp_set_num_threads(count);
#endif
}

}  // namespace workbook
