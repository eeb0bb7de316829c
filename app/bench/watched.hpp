/// @file
/// Runs code that may crash in a process of its own.
#pragma once

#include <functional>
#include <string>

namespace workbook::bench {

/// Says what is done at the moment.
using Announce = std::function<void(const std::string& what)>;

/// Runs `code` in a process of its own. When it crashes or calls exit, standard error says so, and what it did.
/// @return what `code` returns, or 1 when it does not return
[[nodiscard]] int run_watched(const std::function<int(const Announce& announce)>& code);

}  // namespace workbook::bench
