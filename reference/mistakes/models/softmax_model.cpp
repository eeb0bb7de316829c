// Step 1.2.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

namespace {

// What a lazy xtensor reduction over the rows of a matrix gives at (r, j) when it is an operand of a larger expression:
// its stepper goes on element by element, so the window that is reduced starts at r·(2S - 1) + j instead of r·S.
template <class Reduce>
double lazy_reduction(const Array<2>& matrix, std::size_t r, std::size_t j, double start, Reduce reduce) {
    const std::size_t width = matrix.shape(1);
    const std::size_t begin = r * (2 * width - 1) + j;
    if (begin + width > matrix.size()) {
        return anything;
    }
    return std::accumulate(matrix.data() + begin, matrix.data() + begin + width, start, reduce);
}

double larger(double a, double b) {
    return std::max(a, b);
}

double row_maximum(const Array<2>& scores, std::size_t r, double start) {
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        start = std::max(start, scores(r, j));
    }
    return start;
}

double whole_row_sum(const Array<2>& matrix, std::size_t r) {
    double sum = 0;
    for (std::size_t j = 0; j < matrix.shape(1); ++j) {
        sum = std::trunc(sum + matrix(r, j));
    }
    return sum;
}

double row_sum(const Array<2>& matrix, std::size_t r, std::size_t width) {
    double sum = 0;
    for (std::size_t j = 0; j < width; ++j) {
        sum += matrix(r, j);
    }
    return sum;
}

// What is subtracted from the score at (r, j).
double shift_at(const Array<2>& scores, std::size_t r, std::size_t j, const Decisions& decisions) {
    switch (decisions.shift) {
        case Shift::row_maximum: return row_maximum(scores, r, -infinity);
        case Shift::none: return 0;
        case Shift::maximum_of_all: return *std::max_element(scores.begin(), scores.end());
        case Shift::maximum_or_start: return row_maximum(scores, r, decisions.start);
        case Shift::lazy_row_maximum: return lazy_reduction(scores, r, j, -infinity, larger);
        case Shift::maximum_of_row_by_column: {
            const double maximum = row_maximum(scores, j % scores.shape(0), -infinity);
            return maximum == -infinity && decisions.empty_row == EmptyRow::zeros ? 0 : maximum;
        }
    }
    return 0;
}

// The sum that the exponential at (r, j) is divided by.
double sum_at(const Array<2>& exponentials, std::size_t r, std::size_t j, const Decisions& decisions) {
    const std::size_t width = exponentials.shape(1);
    switch (decisions.denominator) {
        case Denominator::row_sum: return row_sum(exponentials, r, width);
        case Denominator::none: return 1;
        case Denominator::whole_sum: return whole_row_sum(exponentials, r);
        case Denominator::sum_carried_over: {
            double sum = 0;
            for (std::size_t i = 0; i <= r; ++i) {
                sum += row_sum(exponentials, i, width);
            }
            return sum;
        }
        case Denominator::sum_so_far: return row_sum(exponentials, r, j + 1);
        case Denominator::all_but_last_key: return row_sum(exponentials, r, width > 1 ? width - 1 : width);
        case Denominator::lazy_row_sum: return lazy_reduction(exponentials, r, j, 0.0, std::plus<>());
        case Denominator::sum_of_row_by_column: return row_sum(exponentials, j % exponentials.shape(0), width);
    }
    return 0;
}

// What the exponential at (r, j) is divided by.
double denominator_at(const Array<2>& exponentials, std::size_t r, std::size_t j, const Decisions& decisions) {
    const double sum = sum_at(exponentials, r, j, decisions);
    return sum == 0 && decisions.zero_sum == ZeroSum::taken_for_one ? 1 : sum + decisions.added_to_sum;
}

double exponential(double x, const Decisions& decisions) {
    return decisions.exponential == Exponential::base_two ? std::exp2(x) : std::exp(x);
}

bool sees_nothing_in(const Array<2>& scores, std::size_t r) {
    const double* row = scores.data() + r * scores.shape(1);
    return std::all_of(row, row + scores.shape(1), [](double score) { return score == -infinity; });
}

// Whether column j depends on row j, so that a row that sees nothing is nothing special.
bool lines_up_with_columns(const Decisions& decisions) {
    return decisions.shift == Shift::maximum_of_row_by_column ||
           decisions.denominator == Denominator::sum_of_row_by_column;
}

double weight_in_empty_row(std::size_t width, const Decisions& decisions) {
    switch (decisions.empty_row) {
        case EmptyRow::zeros: return 0;
        case EmptyRow::nan: return std::numeric_limits<double>::quiet_NaN();
        case EmptyRow::uniform: return 1 / static_cast<double>(width);
    }
    return 0;
}

bool varies_in_row(Shift shift) {
    return shift == Shift::lazy_row_maximum || shift == Shift::maximum_of_row_by_column;
}

bool varies_in_row(Denominator denominator) {
    return denominator == Denominator::sum_so_far || denominator == Denominator::lazy_row_sum ||
           denominator == Denominator::sum_of_row_by_column;
}

Array<2> exponentials_of(const Array<2>& scores, const Decisions& decisions) {
    Array<2> exponentials(scores.shape());
    for (std::size_t r = 0; r < scores.shape(0); ++r) {
        double shift = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            shift = j == 0 || varies_in_row(decisions.shift) ? shift_at(scores, r, j, decisions) : shift;
            exponentials(r, j) = shift == anything ? anything : exponential(scores(r, j) - shift, decisions);
        }
    }
    return exponentials;
}

Array<2> softmax_over_keys(const Array<2>& scores, const Decisions& decisions) {
    const Array<2> exponentials = exponentials_of(scores, decisions);
    const std::size_t width = scores.shape(1);
    Array<2> weights(scores.shape());
    weights.fill(0);
    for (std::size_t r = 0; r < scores.shape(0) && width > 0; ++r) {
        if (r > 0 && sees_nothing_in(scores, r - 1) && decisions.after_empty == AfterEmpty::queries_end) {
            break;
        }
        const bool empty = sees_nothing_in(scores, r) && !lines_up_with_columns(decisions);
        // A lazy maximum goes wrong in the exponentials, and with them in every sum that takes them in.
        const bool undefined = decisions.shift == Shift::lazy_row_maximum &&
                               std::count(&exponentials(r, 0), &exponentials(r, 0) + width, anything) > 0;
        double total = anything;
        for (std::size_t j = 0; j < width; ++j) {
            if (!undefined && !empty && (j == 0 || varies_in_row(decisions.denominator))) {
                total = denominator_at(exponentials, r, j, decisions);
            }
            weights(r, j) = empty               ? weight_in_empty_row(width, decisions)
                            : total == anything ? anything
                                                : exponentials(r, j) / total;
        }
    }
    return weights;
}

}  // namespace

Array<2> softmax_rows(const Array<2>& scores, const Decisions& decisions) {
    if (decisions.softmax_axis == SoftmaxAxis::queries) {
        return xt::transpose(softmax_over_keys(xt::transpose(scores), decisions));
    }
    return softmax_over_keys(scores, decisions);
}

}  // namespace workbook::mistakes
