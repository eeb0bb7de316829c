#include "tests/support/harness/unchanged.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/answer.hpp"

namespace workbook::grading {

namespace {

std::vector<Unchanged*>& watched() {
    static std::vector<Unchanged*> all;
    return all;
}

}  // namespace

void Unchanged::watch() {
    watched().push_back(this);
}

Unchanged::~Unchanged() {
    has_changed();
    std::erase(watched(), this);
}

bool Unchanged::has_changed() {
    if (!reported_ && bytes_() != before_) {
        reported_ = true;
        evidence().settle("input_changed");
        ADD_FAILURE() << "the call has changed its input " << name_;
    }
    return reported_;
}

bool inputs_have_changed() {
    bool changed = false;
    for (Unchanged* input : watched()) {
        changed = input->has_changed() || changed;
    }
    return changed;
}

}  // namespace workbook::grading
