// measure_story MODEL FILE: measures how fast the worked solution reads on with a published model, with and without a
// cache, beside the same model as plain loops, and writes it as JSON. Run it with OPENBLAS_NUM_THREADS=1 on a machine
// that does nothing else.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/base/system/machine.hpp"
#include "app/story/telling/session.hpp"
#include "tests/story/plain_llama.hpp"

namespace {

using namespace workbook::story;  // NOLINT(google-build-using-namespace): a program of one file

// Processor time of this thread: what the machine does besides does not count.
double processor_seconds() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of(const std::function<void()>& run) {
    const double begin = processor_seconds();
    run();
    return processor_seconds() - begin;
}

// Any text: which tokens it has changes nothing about the time.
Tokens text_of(std::size_t n_tokens, std::size_t n_vocab) {
    Tokens text(n_tokens);
    for (std::size_t i = 0; i < n_tokens; ++i) {
        text[i] = static_cast<TokenId>(i * 7919 % n_vocab);
    }
    return text;
}

// The time of every token of a text that is read token by token, the shortest of several readings.
std::vector<double> seconds_by_token(const Tokens& text, const std::function<std::function<void(TokenId)>()>& begin) {
    constexpr int runs = 5;
    std::vector<double> shortest(text.size(), std::numeric_limits<double>::max());
    for (int run = 0; run < runs; ++run) {
        const std::function<void(TokenId)> read = begin();
        for (std::size_t i = 0; i < text.size(); ++i) {
            shortest[i] = std::min(shortest[i], seconds_of([&] { read(text[i]); }));
        }
    }
    return shortest;
}

double seconds_without_cache(const Llama& model, const Tokens& text) {
    constexpr int runs = 3;
    double shortest = std::numeric_limits<double>::max();
    for (int run = 0; run < runs; ++run) {
        Session session(model, 1, text.size(), Caching::off);
        shortest = std::min(shortest, seconds_of([&] {
                                const workbook::Tensor<3> hidden = session.read({text});
                                static_cast<void>(model.logits(last_of_each(hidden, {text.size()})));
                            }));
    }
    return shortest;
}

// Tokens per second at a length, from the times of the last few tokens up to it.
double rate_at(const std::vector<double>& seconds, std::size_t length) {
    constexpr std::size_t tokens = 8;
    double sum = 0;
    for (std::size_t i = length - tokens; i < length; ++i) {
        sum += seconds[i];
    }
    return static_cast<double>(tokens) / sum;
}

nlohmann::ordered_json measured(const Llama& model) {
    const Tokens text = text_of(model.config().context_length, model.config().n_vocab);
    const std::vector<double> cached = seconds_by_token(text, [&] {
        const auto session = std::make_shared<Session>(model, 1, text.size(), Caching::on);
        return [&model, session](TokenId token) { static_cast<void>(model.logits(session->read({{token}}))); };
    });
    const std::vector<double> plain = seconds_by_token(text, [&] {
        const auto loops = std::make_shared<PlainLlama>(model, text.size());
        return [loops](TokenId token) { static_cast<void>(loops->read(token)); };
    });
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (std::size_t length = 16; length <= text.size(); length *= 2) {
        const Tokens beginning(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
        points.push_back({{"tokens", length},
                          {"cache", std::round(rate_at(cached, length))},
                          {"plain_loops", std::round(rate_at(plain, length))},
                          {"no_cache", std::round(100 / seconds_without_cache(model, beginning)) / 100}});
    }
    return points;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: measure_story MODEL FILE\n";
        return 2;
    }
    try {
        const MappedFile file(argv[1]);
        Gguf gguf(file.bytes(), argv[1]);
        const Llama model(gguf);
        const nlohmann::ordered_json result{
            {"machine", workbook::app::processor()},
            {"compiler", __VERSION__},
            {"date", workbook::app::utc_date()},
            {"command", "OPENBLAS_NUM_THREADS=1 measure_story stories260K.gguf docs/figures/measured_story.json"},
            {"tokens_per_second", measured(model)}};
        std::ofstream(argv[2]) << result.dump(2) << "\n";
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
