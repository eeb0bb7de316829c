#include "app/run/foreground.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

#include "app/base/system/child.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system's headers declare it

namespace workbook::app {

namespace {

// Programs that were started; they are ended with the object.
class Pipeline {
public:
    Pipeline() = default;
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;
    ~Pipeline() {
        for (const pid_t program : programs_) {
            kill(program, SIGTERM);
            waitpid(program, nullptr, 0);
        }
        if (input_ != STDIN_FILENO) {
            close(input_);
        }
    }

    // Starts a program that reads what the one before it writes.
    void start(const std::vector<std::string>& command, bool is_last) {
        std::array<int, 2> ends{-1, STDOUT_FILENO};  // what the next one reads from, what this one writes to
        if (!is_last && pipe(ends.data()) != 0) {
            throw std::runtime_error("cannot make a pipe");
        }
        posix_spawn_file_actions_t actions{};
        posix_spawn_file_actions_init(&actions);
        if (input_ != STDIN_FILENO) {
            posix_spawn_file_actions_adddup2(&actions, input_, STDIN_FILENO);
        }
        if (!is_last) {
            fcntl(ends[0], F_SETFD, FD_CLOEXEC);
            fcntl(ends[1], F_SETFD, FD_CLOEXEC);
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        }
        std::vector<char*> arguments = pointers_to(command);
        arguments.push_back(nullptr);
        pid_t program = -1;
        const int error = posix_spawn(&program, arguments[0], &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (input_ != STDIN_FILENO) {
            close(input_);
        }
        if (!is_last) {
            close(ends[1]);
            input_ = ends[0];
        } else {
            input_ = STDIN_FILENO;
        }
        if (error != 0) {
            throw std::runtime_error("cannot run " + command.front());
        }
        programs_.push_back(program);
    }

    // Waits for the program that was started last.
    [[nodiscard]] RunResult wait_for_last() {
        int status = 0;
        while (waitpid(programs_.back(), &status, WNOHANG) == 0) {
            expect_not_interrupted();
            usleep(10'000);
        }
        programs_.pop_back();
        expect_not_interrupted();
        return ending_of(status);
    }

private:
    std::vector<pid_t> programs_;
    int input_ = STDIN_FILENO;  // what the next program reads from
};

}  // namespace

RunResult run_in_foreground(const std::vector<std::vector<std::string>>& pipeline) {
    Pipeline programs;
    for (std::size_t i = 0; i < pipeline.size(); ++i) {
        programs.start(pipeline[i], i + 1 == pipeline.size());
    }
    return programs.wait_for_last();
}

}  // namespace workbook::app
