// libFuzzer: any bytes are a model that is read, or refused with BadModel; nothing else happens. Built with clang++ and
// -D WORKBOOK_FUZZ=ON: the commands are in CMakeLists.txt.
#include <cstdint>

#include "app/story/model/llama.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace workbook::story;  // NOLINT(google-build-using-namespace)
    try {
        Gguf file({reinterpret_cast<const std::byte*>(data), size}, "fuzzed");
        const Vocabulary vocabulary(file);
        static_cast<void>(vocabulary.encode("a b\xc3\xa9 \xff"));
        const Llama model(file);
    } catch (const BadModel&) {
    }
    return 0;
}
