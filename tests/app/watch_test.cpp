// `./workbook watch 1` on a terminal of its own, in a copy of the project: watch_test COPY
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "app/base/files.hpp"
#include "app/base/system/process.hpp"

namespace {

namespace fs = std::filesystem;

fs::path copy;  // of the project

// The worked solution of part 1, with the scale of step 1.3 or without it.
std::string answer(bool scaled) {
    std::string text = workbook::app::read_file(copy / "part1_mha" / "solution.cpp");
    const std::string scale = "scores /= std::sqrt(static_cast<Scalar>(q.shape(1)));";
    if (!scaled) {
        text.replace(text.find(scale), scale.size(), "");
    }
    return text;
}

// As many editors save: the old file goes, the new one takes its name.
void save(const std::string& text) {
    const fs::path file = copy / "part1_mha" / "exercise.cpp";
    std::ofstream(file.string() + ".new") << text;
    fs::remove(file);
    fs::rename(file.string() + ".new", file);
}

// `./workbook watch` of a part or a step, as somebody at a terminal meets it.
class Watch {
public:
    explicit Watch(const char* watched = "1") : terminal_(posix_openpt(O_RDWR | O_NOCTTY)) {
        fs::remove_all(copy / ".workbook");
        if (terminal_ < 0 || grantpt(terminal_) != 0 || unlockpt(terminal_) != 0) {
            throw std::runtime_error("there is no pseudo-terminal to be had");
        }
        const std::string name = ptsname(terminal_);
        side_ = open(name.c_str(), O_RDWR | O_NOCTTY);
        const winsize size{40, 80, 0, 0};
        ioctl(side_, TIOCSWINSZ, &size);
        pid_ = fork();
        if (pid_ == 0) {
            setsid();
            ioctl(side_, TIOCSCTTY, 0);
            for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
                dup2(side_, descriptor);
            }
            setenv("TERM", "xterm", 1);
            execl((copy / "workbook").c_str(), "workbook", "watch", watched, nullptr);
            _exit(127);
        }
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() {
        if (!ended_) {
            kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
        close(side_);
        close(terminal_);
    }

    void press(char key) const { ASSERT_EQ(write(terminal_, &key, 1), 1); }

    // Reads until that text is shown; what was read before it does not count the next time. A screen that does not
    // change for minutes, on however slow a machine, never shows it.
    void expect(const std::string& text) {
        const auto start = std::chrono::steady_clock::now();
        while (pending_.find(text) == std::string::npos) {
            if (!read_some() || std::chrono::steady_clock::now() - start > std::chrono::minutes(5)) {
                FAIL() << "expected: " << text << "\ngot:\n" << pending_;
            }
        }
        pending_.erase(0, pending_.find(text) + text.size());
    }

    // Waits for the end. The exit code, or minus the signal that ended it.
    int wait_for_end() {
        int status = 0;
        while (!ended_) {
            (void)read_some();
            ended_ = waitpid(pid_, &status, WNOHANG) == pid_;
        }
        (void)read_some();
        const workbook::app::RunResult ended = workbook::app::ending_of(status);
        return ended.signal == 0 ? ended.exit_code : -ended.signal;
    }

    void wait_for_stop() const {
        int status = 0;
        ASSERT_EQ(waitpid(pid_, &status, WUNTRACED), pid_);
        ASSERT_TRUE(WIFSTOPPED(status));
    }

    void send(int signal) const { kill(pid_, signal); }

    // Lines are edited and echoed, the first screen is shown and the cursor is seen, as before.
    [[nodiscard]] bool is_restored() {
        (void)read_some();
        termios now{};
        tcgetattr(side_, &now);
        return (now.c_lflag & ICANON) != 0 && (now.c_lflag & ECHO) != 0 &&
               everything_.rfind("\x1b[?1049l") > everything_.rfind("\x1b[?1049h") &&
               everything_.rfind("\x1b[?25h") > everything_.rfind("\x1b[?25l");
    }

private:
    // Waits a little for output. False when the program has ended.
    bool read_some() {
        pollfd output{terminal_, POLLIN, 0};
        if (poll(&output, 1, 100) <= 0) {
            siginfo_t info{};
            return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
        }
        std::array<char, 4096> buffer{};
        const ssize_t n = read(terminal_, buffer.data(), buffer.size());
        if (n > 0) {
            pending_.append(buffer.data(), static_cast<std::size_t>(n));
            everything_.append(buffer.data(), static_cast<std::size_t>(n));
        }
        return n > 0;
    }

    int terminal_;
    int side_ = -1;  // what the program sees; kept open, so that its settings can be read after the end
    pid_t pid_ = -1;
    bool ended_ = false;
    std::string pending_;
    std::string everything_;
};

TEST(Watch, GradesOnSaveShowsHintsAndStaysWithItsStep) {
    save(answer(false));
    Watch watch;
    watch.expect("FAILED\x1b[0m AttendHead");
    watch.press('h');
    watch.expect("Hint 1 of 3 for step 1.3");
    watch.press('h');
    watch.expect("Hint 2 of 3 for step 1.3");
    watch.press('l');
    watch.expect("4 of 9 tests");
    watch.press('l');
    std::string two_wrong = answer(true);
    const std::string line = "return batch * n_heads * q_len * q_len;";
    save(two_wrong.replace(two_wrong.find(line), line.size(), "return 0;"));
    watch.expect("Press n for step 1.6");
    watch.press('n');
    watch.expect("FAILED");
    save(answer(true));
    watch.expect("Every step of the part passes.");
    watch.press('q');
    EXPECT_EQ(watch.wait_for_end(), 0);
    EXPECT_TRUE(watch.is_restored());
}

TEST(Watch, GradesOneStep) {
    save(answer(false));
    Watch watch("1.4");  // which is right
    watch.expect("Step 1.4 passes.");
    watch.press('l');
    watch.expect("14/14");
    watch.press('q');
    EXPECT_EQ(watch.wait_for_end(), 0);
}

TEST(Watch, ShowsWhatDoesNotBuildAndGoesOn) {
    save(answer(true) + "int broken =\n");
    Watch watch;
    watch.expect("It does not build");
    watch.expect("int broken =");
    save(answer(true));
    watch.expect("Every step of the part passes.");
    watch.press('r');
    watch.expect("grading part 1");
    watch.press('q');
    EXPECT_EQ(watch.wait_for_end(), 0);
    EXPECT_TRUE(watch.is_restored());
}

TEST(Watch, ShowsAStepThatDoesNotCompileBesideTheOthers) {
    std::string text = answer(false);  // step 1.3 is wrong, and 1.6 lacks a semicolon
    const std::string line = "return batch * n_heads * q_len * q_len;";
    save(text.replace(text.find(line), line.size(), "return batch"));
    Watch watch;
    watch.expect("Step 1.6 does not compile");
    watch.expect("return batch");
    watch.expect("FAILED");
    save(answer(true));
    watch.expect("Every step of the part passes.");
    watch.press('q');
    EXPECT_EQ(watch.wait_for_end(), 0);
}

TEST(Watch, WaitsForAFileThatIsAway) {
    save(answer(true));
    Watch watch;
    watch.expect("Every step of the part passes.");
    fs::remove(copy / "part1_mha" / "exercise.cpp");
    watch.expect("is not there; waiting for it");
    save(answer(false));
    watch.expect("FAILED");
    watch.press('q');
    EXPECT_EQ(watch.wait_for_end(), 0);
}

TEST(Watch, GivesUpAGradeThatASaveHasOutdated) {
    std::string endless = answer(true);
    const std::string line = "Matrix scores = matmul_transposed(q, k);  // [R, S]";
    save(endless.replace(endless.find(line), line.size(), "for (volatile int i = 0;; i = 0) {}\n" + line));
    Watch watch;
    watch.expect("grading part 1");
    save(answer(true));
    watch.expect("Every step of the part passes.");
    watch.press('q');
    EXPECT_EQ(watch.wait_for_end(), 0);
}

TEST(Watch, RestoresTheTerminalAfterCtrlCAndSignals) {
    save(answer(true));
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        Watch watch;
        watch.expect("h hint");
        if (signal == SIGINT) {
            watch.press('\x03');
        } else {
            watch.send(signal);
        }
        EXPECT_EQ(watch.wait_for_end(), 130) << signal;
        EXPECT_TRUE(watch.is_restored()) << signal;
    }
}

TEST(Watch, StopsAndGoesOn) {
    save(answer(true));
    Watch watch;
    watch.expect("Every step of the part passes.");
    watch.press('\x1a');  // Ctrl-Z
    watch.wait_for_stop();
    EXPECT_TRUE(watch.is_restored());
    watch.send(SIGCONT);
    watch.expect("Every step of the part passes.");
    EXPECT_FALSE(watch.is_restored());
    watch.press('q');
    EXPECT_EQ(watch.wait_for_end(), 0);
    EXPECT_TRUE(watch.is_restored());
}

}  // namespace

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (argc != 2) {
        std::cerr << "usage: watch_test COPY_OF_THE_PROJECT\n";
        return 2;
    }
    copy = argv[1];
    return RUN_ALL_TESTS();
}
