// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

/// The program's log: lines on stderr, thread-safe, each written whole.
///
/// Plain form is the message alone at info, and "warning: …" or "error: …" above it; with
/// `Level::debug` on, time, thread and level stand before it. JSON form is one object a line: time,
/// level, thread, message.
namespace seda::log {

enum class Level { trace, debug, info, warning, error, off };

struct Options {
  Level level = Level::info;
  bool json = false;
  bool color = false;

  bool operator==(const Options&) const = default;
};

/// Takes effect for later lines. Called before threads start.
void configure(const Options& options);

/// Shows `line` under the log until it is replaced; an empty one removes it. For a terminal: the
/// line is erased before each log line and drawn again below it. ASCII, shorter than the terminal
/// is wide, without a line break.
void set_status(std::string_view line);

bool enabled(Level level) noexcept;
void write(Level level, std::string_view message);

template <typename... Args>
void write(Level level, fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(level))
    write(level, std::string_view(fmt::format(format, std::forward<Args>(args)...)));
}

template <typename... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::debug, format, std::forward<Args>(args)...);
}
template <typename... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::info, format, std::forward<Args>(args)...);
}
template <typename... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::warning, format, std::forward<Args>(args)...);
}
template <typename... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::error, format, std::forward<Args>(args)...);
}

}  // namespace seda::log
