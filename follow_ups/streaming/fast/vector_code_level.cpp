// The vector code for one instruction set: compiled once for each, with WORKBOOK_LEVEL as its name. It must not use
// inline functions of the standard library, std::array's included: the linker keeps one copy of such a function for the
// whole program, and that one might need instructions that the processor does not have.
// NOLINTBEGIN(modernize-avoid-c-arrays)
#include <xsimd/xsimd.hpp>

#include "follow_ups/streaming/fast/vector_code.hpp"

namespace workbook::WORKBOOK_LEVEL {

namespace {

using Vector = xsimd::batch<Scalar>;
constexpr std::size_t lanes = Vector::size;
// Decode would wait for memory without this: rows of keys and values are fetched so many rows ahead of their use, into
// the second-level cache. Where M = 1 query needs them, there is so little to do between two reads that the processor
// looks ahead far enough by itself, as long as it reads in the order of memory.
constexpr std::size_t rows_ahead = 16;

template <std::size_t M>
void fetch_ahead(const Scalar* rows, std::size_t row) {
    if constexpr (M > 1) {
        __builtin_prefetch(rows + rows_ahead * row, 0, 2);
    }
}

// Registers for sums: half of what there is, so that operands have room too.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr std::size_t accumulators = 16;
#else
constexpr std::size_t accumulators = 8;
#endif

Vector load(const Scalar* data) {
    return Vector::load_unaligned(data);
}

// One block of M rows and V vectors of c += a · b, whose sums stay in registers. They start at zero: added up first and
// then put to c, which has the sums of all tiles before, they lose less to rounding.
template <std::size_t M, std::size_t V>
void add_block(std::size_t k, VectorCode::Operand a, const Scalar* b, std::size_t b_row, Scalar* c, std::size_t c_row) {
    Vector sum[M][V];
    for (std::size_t i = 0; i < M; ++i) {
        for (std::size_t v = 0; v < V; ++v) {
            sum[i][v] = Vector(Scalar{0});
        }
    }
    for (std::size_t j = 0; j < k; ++j) {
        Vector row[V];
        for (std::size_t v = 0; v < V; ++v) {
            row[v] = load(b + j * b_row + v * lanes);
            fetch_ahead<M>(b + j * b_row + v * lanes, b_row);
        }
        for (std::size_t i = 0; i < M; ++i) {
            const Vector factor(a.data[i * a.row + j * a.column]);
            for (std::size_t v = 0; v < V; ++v) {
                sum[i][v] = xsimd::fma(factor, row[v], sum[i][v]);
            }
        }
    }
// Unrolled before all else: g++ would keep the sums in memory to go through them in loops.
#pragma GCC unroll 8
    for (std::size_t i = 0; i < M; ++i) {
#pragma GCC unroll 8
        for (std::size_t v = 0; v < V; ++v) {
            Scalar* place = c + i * c_row + v * lanes;
            (load(place) + sum[i][v]).store_unaligned(place);
        }
    }
}

// M rows of c += a · b, as many columns at a time as there are registers for.
template <std::size_t M, std::size_t V>
void add_columns(std::size_t n, std::size_t k, VectorCode::Operand a, const Scalar* b, std::size_t b_row, Scalar* c,
                 std::size_t c_row) {
    std::size_t j = 0;
    for (; j + V * lanes <= n; j += V * lanes) {
        add_block<M, V>(k, a, b + j, b_row, c + j, c_row);
    }
    if constexpr (V > 1) {
        add_columns<M, V / 2>(n - j, k, a, b + j, b_row, c + j, c_row);
    }
}

// Fetches M rows of k contiguous numbers.
template <std::size_t M>
void fetch(std::size_t k, const Scalar* rows, std::size_t row) {
    for (std::size_t i = 0; i < M; ++i) {
        for (std::size_t p = 0; p < k; p += 64 / sizeof(Scalar)) {
            __builtin_prefetch(rows + i * row + p, 0, 2);
        }
    }
}

template <std::size_t M>
void add_rows(std::size_t m, std::size_t n, std::size_t k, VectorCode::Operand a, const Scalar* b, std::size_t b_row,
              Scalar* c, std::size_t c_row) {
    constexpr std::size_t V = M == 1 ? accumulators / 2 : accumulators / M;
    for (; m >= M; m -= M) {
        if (a.column == 1) {
            fetch<M>(k, a.data + 2 * M * a.row, a.row);
        }
        add_columns<M, V>(n, k, a, b, b_row, c, c_row);
        a.data += M * a.row;
        c += M * c_row;
    }
    if constexpr (M > 1) {
        add_rows<M / 2>(m, n, k, a, b, b_row, c, c_row);
    }
}

void add_product(std::size_t m, std::size_t n, std::size_t k, VectorCode::Operand a, const Scalar* b, std::size_t b_row,
                 Scalar* c, std::size_t c_row) {
    add_rows<accumulators / 2>(m, n, k, a, b, b_row, c, c_row);
}

// Adds up the lanes of each of `lanes` vectors.
Vector sums_of(const Vector (&vectors)[lanes]) {
#ifdef __AVX512F__
    // xsimd 8 gives the sums of 512-bit vectors in the wrong order, so halves are added first.
    using Half = xsimd::batch<Scalar, xsimd::avx>;
    Half halves[lanes];
    for (std::size_t i = 0; i < lanes; ++i) {
        Scalar both[lanes];
        vectors[i].store_unaligned(both);
        halves[i] = Half::load_unaligned(both) + Half::load_unaligned(both + Half::size);
    }
    Scalar sums[lanes];
    xsimd::haddp(halves).store_unaligned(sums);
    xsimd::haddp(halves + Half::size).store_unaligned(sums + Half::size);
    return load(sums);
#else
    return xsimd::haddp(vectors);
#endif
}

// Products of M rows of a with N rows of b, lane by lane: the sums over k, not yet over lanes.
template <std::size_t M, std::size_t N>
void multiply_rows(std::size_t k, const Scalar* a, const Scalar* b, Vector* products, std::size_t products_row) {
    Vector sum[M][N];
    for (std::size_t i = 0; i < M; ++i) {
        for (std::size_t j = 0; j < N; ++j) {
            sum[i][j] = Vector(Scalar{0});
        }
    }
    for (std::size_t p = 0; p < k; p += lanes) {
        Vector left[M];
        for (std::size_t i = 0; i < M; ++i) {
            left[i] = load(a + i * k + p);
        }
        for (std::size_t j = 0; j < N; ++j) {
            const Vector right = load(b + j * k + p);
            fetch_ahead<M>(b + j * k + p, k);
            for (std::size_t i = 0; i < M; ++i) {
                sum[i][j] = xsimd::fma(left[i], right, sum[i][j]);
            }
        }
    }
    for (std::size_t i = 0; i < M; ++i) {
        for (std::size_t j = 0; j < N; ++j) {
            products[i * products_row + j] = sum[i][j];
        }
    }
}

// Dot products of M rows of a with as many rows of b as make up one vector of results. Few rows of b are read at a
// time, for one row of a only one: the processor recognises what comes next in a few streams, not in many.
template <std::size_t M>
void dots_block(std::size_t k, const Scalar* a, const Scalar* b, Scalar* c, std::size_t c_row) {
    constexpr std::size_t N = lanes / M;
    constexpr std::size_t at_once = M == 1 ? 1 : N < 4 ? N : 4;
    Vector products[lanes];
    for (std::size_t j = 0; j < N; j += at_once) {
        multiply_rows<M, at_once>(k, a, b + j * k, products + j, N);
    }
    Scalar sums[lanes];
    sums_of(products).store_unaligned(sums);
    for (std::size_t i = 0; i < M; ++i) {
        for (std::size_t j = 0; j < N; ++j) {
            c[i * c_row + j] = sums[i * N + j];
        }
    }
}

// One dot product, for the last few keys of a tile.
Scalar dot(std::size_t k, const Scalar* a, const Scalar* b) {
    Vector sum(Scalar{0});
    for (std::size_t p = 0; p < k; p += lanes) {
        sum = xsimd::fma(load(a + p), load(b + p), sum);
    }
    Scalar of_lanes[lanes];
    sum.store_unaligned(of_lanes);
    Scalar total = 0;
    for (const Scalar of_lane : of_lanes) {
        total += of_lane;
    }
    return total;
}

template <std::size_t M>
void dots_rows(std::size_t m, std::size_t n, std::size_t k, const Scalar* a, const Scalar* b, Scalar* c,
               std::size_t c_row) {
    constexpr std::size_t N = lanes / M;
    for (; m >= M; m -= M) {
        std::size_t j = 0;
        for (; j + N <= n; j += N) {
            dots_block<M>(k, a, b + j * k, c + j, c_row);
        }
        for (; j < n; ++j) {
            for (std::size_t i = 0; i < M; ++i) {
                c[i * c_row + j] = dot(k, a + i * k, b + j * k);
            }
        }
        a += M * k;
        c += M * c_row;
    }
    if constexpr (M > 1) {
        dots_rows<M / 2>(m, n, k, a, b, c, c_row);
    }
}

void dots(std::size_t m, std::size_t n, std::size_t k, const Scalar* a, const Scalar* b, Scalar* c, std::size_t c_row) {
    dots_rows < lanes<4 ? lanes : 4>(m, n, k, a, b, c, c_row);
}

void highest(const Scalar* s, std::size_t count, std::size_t stride, Scalar* maxima) {
    Vector highest = load(s);
    for (std::size_t i = 1; i < count; ++i) {
        highest = xsimd::max(highest, load(s + i * stride));
    }
    highest.store_unaligned(maxima);
}

void weigh(Scalar* s, std::size_t count, std::size_t stride, const Scalar* shift, Scalar* sums) {
    const Vector by = load(shift);
    Vector sum(Scalar{0});
    for (std::size_t i = 0; i < count; ++i) {
        const Vector weights = xsimd::exp(load(s + i * stride) - by);
        weights.store_unaligned(s + i * stride);
        sum += weights;
    }
    sum.store_unaligned(sums);
}

void scale(Scalar* s, std::size_t count, Scalar factor) {
    const Vector by(factor);
    for (std::size_t i = 0; i < count; ++i) {
        (load(s + i * lanes) * by).store_unaligned(s + i * lanes);
    }
}

}  // namespace

extern const VectorCode code;
const VectorCode code{lanes, add_product, dots, highest, weigh, scale};

}  // namespace workbook::WORKBOOK_LEVEL
// NOLINTEND(modernize-avoid-c-arrays)
