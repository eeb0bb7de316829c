// ./workbook watch: grades whenever the file is saved.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <iostream>
#include <memory>
#include <optional>

#include "app/base/files.hpp"
#include "app/base/system/process.hpp"
#include "app/base/text.hpp"
#include "app/commands/command.hpp"
#include "app/judge/own.hpp"
#include "app/show/screen.hpp"
#include "app/steps/hints.hpp"

namespace workbook::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_polls{200};
constexpr std::chrono::seconds missing_for_long{2};  // an editor that saves by renaming needs far less

// A grade under way on a thread of its own; it is given up when the object goes.
class Grading {
public:
    Grading(const Project& project, const Chosen& watched)
        : result_(std::async(std::launch::async,
                             [project, watched] { return grade_own(project, watched.part, watched.steps); })) {}
    Grading(const Grading&) = delete;
    Grading& operator=(const Grading&) = delete;
    ~Grading() {
        if (result_.valid()) {
            cancel_runs(true);
            result_.wait();
            cancel_runs(false);
        }
    }
    [[nodiscard]] bool is_ready() const {
        return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }
    [[nodiscard]] PartResult take() { return result_.get(); }

private:
    std::future<PartResult> result_;
};

// The contents of the files that are graded, as they were polled.
class Saved {
public:
    Saved(const Project& project, const Part& part) {
        const bool carried = Progress(project).carries(part);
        for (const Part& one : project.all()) {
            if (one == part || (carried && !one.is_follow_up)) {
                files_.push_back(project.exercise(one));
            }
        }
    }

    // True when there are new contents, and two polls agree on them: a file may be half written.
    bool has_changed() {
        const auto now = Clock::now();
        if (now - polled_ < between_polls) {
            return false;
        }
        polled_ = now;
        std::string contents;
        for (const auto& file : files_) {
            if (!std::filesystem::is_regular_file(file)) {
                return false;
            }
            contents += read_file(file);
        }
        complete_ = now;
        const bool is_new = contents != graded_ && contents == seen_;
        seen_ = contents;
        if (is_new) {
            graded_ = contents;
        }
        return is_new;
    }

    [[nodiscard]] bool is_missing() const { return Clock::now() - complete_ > missing_for_long; }

private:
    std::vector<std::filesystem::path> files_;
    std::optional<std::string> seen_;
    std::optional<std::string> graded_;
    Clock::time_point polled_;
    Clock::time_point complete_ = Clock::now();
};

class Watcher {
public:
    Watcher(const Project& project, const Chosen& watched)
        : project_(project), watched_(watched), saved_(project, watched.part) {
        const Part& part = watched.part;
        view_.part = result_of(part, part.exercise());
        const auto next = std::ranges::find(project.parts(), part) + (part.is_follow_up ? 0 : 1);
        view_.next_part = next == project.parts().end() || !watched.steps.empty() ? "" : next->name;
    }

    int run() {
        while (!was_interrupted()) {
            if (RawTerminal::stop_wanted()) {
                suspend();
            }
            const char key = key_within(50);
            if (key == 'q' || key == end_of_input) {
                return all_passed;
            }
            press(key);
            if (saved_.has_changed()) {
                begin();
            }
            finish();
            draw();
        }
        return interrupted_by_user;
    }

private:
    void begin() {
        grading_.reset();  // what was graded is not what is in the file any more
        grading_.emplace(project_, watched_);
        const std::string what = (watched_.part.is_follow_up ? "" : "part ") + watched_.part.name;
        says_ = style_.open(fmt::format("grading {} …", watched_.steps.empty() ? what : watched_.steps.front()));
    }

    void finish() {
        if (!grading_ || !grading_->is_ready()) {
            return;
        }
        try {
            show(grading_->take());
            says_ = fmt::format("graded at {}; save the file to grade it again", local_time("%H:%M:%S"));
        } catch (const MissingFile&) {
            says_.clear();  // it went away in between; when it is back it is polled as changed
        }
        grading_.reset();
    }

    void show(const PartResult& result) {
        view_.part = result;
        const bool nothing_open = next_open(view_.steps, "").empty();  // no result yet, or all of it passed
        if (!result.steps.empty()) {
            view_.steps = result.steps;
        }
        const std::string open = next_open(view_.steps, "");
        if (nothing_open && !open.empty()) {
            view_.focus = open;
        } else if (view_.focus.empty() && !view_.steps.empty()) {
            view_.focus = view_.steps.back().step;
        }
        const auto shown = std::ranges::find(result.steps, view_.focus, &StepResult::step);
        if (shown != result.steps.end() && shown->passed()) {
            view_.hint.clear();
        }
    }

    void press(char key) {
        switch (key) {
            case 'h': show_hint(); break;
            case 'n': show_next(); break;
            case 'l': view_.lists_steps = !view_.lists_steps; break;
            case 'r': begin(); break;
            default: break;
        }
    }

    void show_hint() {
        if (!view_.focus.empty()) {
            view_.hint = next_hint(project_, view_.focus, style_);
            view_.lists_steps = false;
        }
    }

    void show_next() {
        const std::string open = next_open(view_.steps, view_.focus);
        view_.lists_steps = false;
        if (open.empty()) {
            says_ = "there is no other step that does not pass";
            return;
        }
        view_.focus = open;
        view_.hint.clear();
    }

    // Tests that were running meanwhile would seem to have run too long, so they run again.
    void suspend() {
        const bool was_grading = grading_.has_value();
        grading_.reset();
        terminal_.suspend();
        drawn_.clear();
        if (was_grading) {
            begin();
        }
    }

    void draw() {
        view_.status =
            saved_.is_missing() ? style_.bad(watched_.part.exercise() + " is not there; waiting for it") : says_;
        std::string text = "\x1b[H";
        for (const std::string& line : screen_of(view_, terminal_size(), style_)) {
            text += line + "\x1b[K\n";
        }
        text += "\x1b[J";
        if (text != drawn_) {
            std::cout << text << std::flush;
            drawn_ = text;
        }
    }

    Project project_;
    Chosen watched_;
    Style style_{style_of_output().colour, true};
    Saved saved_;
    View view_;
    std::string says_;
    std::string drawn_;
    RawTerminal terminal_;
    std::optional<Grading> grading_;
};

int watch(const Project& project, const Chosen& watched) {
    if (!is_interactive()) {
        const std::string what = watched.steps.empty() ? watched.part.name : watched.steps.front();
        throw WrongUse("watch needs a terminal. To grade once: ./workbook check " + what);
    }
    return Watcher(project, watched).run();
}

const bool watch_is_registered = register_command({
    .name = "watch",
    .arguments = "[PART|STEP]",
    .summary = "grade the current part, or PART or STEP, whenever you save",
    .place = 20,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto part = std::make_shared<std::string>();
            add_part(options, *part, part_or_step);
            return [part](const Call& call) {
                const Project& project = call.project;
                return watch(project, chosen(project, part->empty() ? Progress(project).current_part() : *part));
            };
        },
});

}  // namespace

}  // namespace workbook::app
