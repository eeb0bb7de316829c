#include "app/steps/exercises/exercises.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/base/files.hpp"
#include "app/base/system/process.hpp"
#include "app/base/text.hpp"
#include "app/steps/exercises/backup.hpp"
#include "app/steps/exercises/merge.hpp"
#include "app/steps/steps.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

// The skeleton that a part's file began as.
fs::path origin_of(const Project& project, const Part& part) {
    return project.source / ".workbook" / "skeletons" / (part.name + ".cpp");
}

// Whether something of that name is there, be it a link that leads nowhere.
bool is_there(const fs::path& file) {
    return fs::exists(fs::symlink_status(file));
}

// Writes a file unless it is there, also when it comes into being meanwhile. True when it was written.
bool create(const fs::path& file, const std::string& text) {
    std::FILE* const stream = std::fopen(file.c_str(), "wx");
    if (stream == nullptr) {
        if (is_there(file)) {
            return false;
        }
        throw std::runtime_error("cannot write " + file.string());
    }
    const bool is_complete = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    if (std::fclose(stream) != 0 || !is_complete) {
        throw std::runtime_error("cannot write all of " + file.string());
    }
    return true;
}

bool make_if_missing(const Project& project, const Part& part) {
    if (is_there(project.exercise(part)) || !create(project.exercise(part), project.skeleton(part))) {
        return false;
    }
    note_skeleton(project, part);
    return true;
}

// What git prints; nothing when it fails, or there is none.
std::string git(const Project& project, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-C", project.source.string()});
    try {
        const RunResult result = run(arguments, {});
        return result.succeeded() ? result.output : "";
    } catch (const std::runtime_error&) {
        return "";
    }
}

// The skeleton that a part had at a commit; empty when it had none.
std::string skeleton_at(const Project& project, const Part& part, const std::string& commit) {
    try {
        return steps::skeleton_of(git(project, {"show", commit + ":./" + part.solution()}));
    } catch (const steps::MarkerError&) {
        return "";
    }
}

// The skeletons that there have been: the one that was noted, the present one, and those of git's history. They come
// from the solutions: an exercise in the history may be what the learner has committed.
std::vector<std::string> skeletons_of(const Project& project, const Part& part) {
    std::vector<std::string> skeletons{read_file(origin_of(project, part)), project.skeleton(part)};
    for (const std::string& commit : lines_of(git(project, {"log", "--format=%H", "--", part.solution()}))) {
        skeletons.push_back(skeleton_at(project, part, commit));
    }
    std::erase(skeletons, "");
    return skeletons;
}

// The skeleton that a part's file began as. A file of another version may have been put in its place since.
std::string base_of(const Project& project, const Part& part) {
    const std::string mine = read_file(project.exercise(part));
    const std::vector<std::string> skeletons = skeletons_of(project, part);
    std::string base = skeletons.front();
    for (const std::string& skeleton : skeletons) {
        if (steps::began_rather_as(skeleton, base, mine)) {
            base = skeleton;
        }
    }
    return base;
}

std::string replace(const Project& project, const Part& part, const std::string& text) {
    const fs::path kept = replace_with_backup(project.exercise(part), text, backup_name(project, part));
    note_skeleton(project, part);
    return fs::relative(kept, project.source).string();
}

// Moves a step that has become a follow-up out of `mine`. What happened, in words.
std::string move_step(const Project& project, const Part& follow_up, const std::string& base, std::string& mine) {
    const std::string& step = follow_up.formerly;
    const std::string now = " Step " + step + " is the follow-up " + follow_up.name + " now";
    make_if_missing(project, follow_up);
    const std::string skeleton = project.skeleton(follow_up);
    const steps::Taken taken = steps::take_step(base, mine, step, skeleton);
    if (taken.moved.empty() || !project.is_untouched(follow_up)) {
        return now + ". Copy it to " + follow_up.exercise() + " by hand.";
    }
    write_atomically(project.exercise(follow_up), taken.moved);
    mine = taken.rest;
    return now + ": what you wrote has moved to " + follow_up.exercise() +
           ". Helper functions that it shares with other steps have to be copied there by hand.";
}

std::string move_steps(const Project& project, const Part& part, const std::string& base, std::string& mine) {
    std::string said;
    for (const Part& follow_up : project.follow_ups()) {
        const bool was_here = part_name_of(follow_up.formerly) == part.name;
        if (was_here && std::ranges::count(steps::written_steps(base, mine), follow_up.formerly) == 1) {
            said += move_step(project, follow_up, base, mine);
        }
    }
    return said;
}

// What became of the learner's own lines.
std::string kept_text(const std::vector<std::string>& written, const steps::Merged& merged) {
    std::string text = written.empty()       ? "what you wrote is kept"
                       : written.size() == 1 ? "your step " + written.front() + " is kept"
                                             : "your steps " + enumerated(written) + " are kept";
    text += "; the text around it is that of this version.";
    for (const std::string& step : merged.new_steps) {
        text += " Step " + step + " is new.";
    }
    for (const std::string& step : merged.gone_steps) {
        text += " Step " + step + " is not part of it any more; yours stays in the file, and is not graded.";
    }
    if (merged.both_changed) {
        text += " Where this version changes lines that you have changed too, yours are kept.";
    }
    return text;
}

std::string update_written(const Project& project, const Part& part, const std::string& base) {
    const std::string mine = read_file(project.exercise(part));
    std::string rest = mine;
    const std::string moved = move_steps(project, part, base, rest);
    const steps::Merged merged = steps::merged(base, rest, project.skeleton(part));
    if (merged.text == mine) {
        note_skeleton(project, part);
        return part.exercise() + ": there is nothing to change in it." + moved;
    }
    const std::string kept = replace(project, part, merged.text);
    return part.exercise() + ": " + kept_text(steps::written_steps(base, rest), merged) + moved +
           " The file as it was: " + kept;
}

// What was done, if anything.
std::optional<std::string> update_exercise(const Project& project, const Part& part) {
    if (make_if_missing(project, part)) {
        return part.exercise() + " was not there; it is the empty exercise now.";
    }
    const std::string base = base_of(project, part);
    if (base == project.skeleton(part)) {
        note_skeleton(project, part);
        return std::nullopt;
    }
    if (base == read_file(project.exercise(part))) {
        const std::string kept = replace(project, part, project.skeleton(part));
        return part.exercise() + ": you had not begun it; it is the new empty exercise. The file as it was: " + kept;
    }
    return update_written(project, part, base);
}

}  // namespace

void note_skeleton(const Project& project, const Part& part) {
    const std::string skeleton = project.skeleton(part);
    if (read_file(origin_of(project, part)) != skeleton) {
        write_atomically(origin_of(project, part), skeleton);
    }
}

std::vector<std::string> make_missing_exercises(const Project& project) {
    std::vector<std::string> made;
    for (const Part& part : project.all()) {
        if (make_if_missing(project, part)) {
            made.push_back(part.exercise());
        }
    }
    return made;
}

std::vector<std::string> refresh_exercises(const Project& project) {
    std::vector<std::string> done;
    for (const Part& part : project.all()) {
        const bool had_one = fs::exists(origin_of(project, part));
        if (make_if_missing(project, part)) {
            if (had_one) {
                done.push_back(part.exercise() + " was missing; the empty exercise is there now." +
                               (fs::exists(project.latest(part))
                                    ? " Yours as it was last graded: " +
                                          project.latest(part).lexically_relative(project.source).string()
                                    : ""));
            }
            continue;
        }
        if (!had_one) {
            write_atomically(origin_of(project, part), base_of(project, part));
        }
        if (is_outdated(project, part) && read_file(project.exercise(part)) == read_file(origin_of(project, part))) {
            done.push_back(part.exercise() + " is the new empty exercise now. The one before, in which you had " +
                           "written nothing, is " + replace(project, part, project.skeleton(part)) + ".");
        }
    }
    return done;
}

bool is_outdated(const Project& project, const Part& part) {
    const std::string origin = read_file(origin_of(project, part));
    return !project.is_untouched(part) && !origin.empty() && origin != project.skeleton(part);
}

std::vector<std::string> update_exercises(const Project& project) {
    std::vector<std::string> done;
    for (const Part& part : project.all()) {  // follow-ups last: a step of a part may have become one
        if (const auto text = update_exercise(project, part)) {
            done.push_back(*text);
        }
    }
    return done;
}

}  // namespace workbook::app
