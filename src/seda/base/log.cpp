// SPDX-License-Identifier: Apache-2.0
#include "seda/base/log.h"

#include <cstdio>
#include <memory>
#include <string>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include "seda/base/json.h"
#include "seda/base/mutex.h"
#include "seda/base/thread.h"

namespace seda::log {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::trace:
      return spdlog::level::trace;
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
    case Level::off:
      break;
  }
  return spdlog::level::off;
}

/// The line under the log, and the order among those who write to stderr.
struct Status {
  Mutex mutex;
  std::string line SEDA_GUARDED_BY(mutex);
};

Status& status() {
  static auto* const kept = new Status;  // never destroyed: threads may log until the very end
  return *kept;
}

/// In one call, and so in one piece.
void write_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

constexpr std::string_view kEraseLine = "\r\x1b[K";

/// Lines on stderr, above the status.
class Sink final : public spdlog::sinks::ansicolor_stderr_sink_mt {
 public:
  using spdlog::sinks::ansicolor_stderr_sink_mt::ansicolor_stderr_sink_mt;

  void log(const spdlog::details::log_msg& message) override {
    Status& below = status();
    const MutexLock lock(below.mutex);
    if (!below.line.empty()) write_stderr(std::string(kEraseLine));
    spdlog::sinks::ansicolor_stderr_sink_mt::log(message);
    if (!below.line.empty()) write_stderr(below.line);
  }
};

/// `%N`: the thread's name.
class ThreadNameFlag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg&, const std::tm&, spdlog::memory_buf_t& out) override {
    const std::string& name = thread_name();
    out.append(name.data(), name.data() + name.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<ThreadNameFlag>();
  }
};

/// `%Q`: "warning: " or "error: " in the colour of the level; nothing below.
class PrefixFlag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const std::string_view prefix = message.level == spdlog::level::warn  ? "warning:"
                                    : message.level == spdlog::level::err ? "error:"
                                                                          : "";
    if (prefix.empty()) return;
    message.color_range_start = out.size();
    out.append(prefix.data(), prefix.data() + prefix.size());
    message.color_range_end = out.size();
    out.push_back(' ');
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<PrefixFlag>();
  }
};

void append_quoted(std::string_view text, spdlog::memory_buf_t& out) {
  std::string quoted;
  append_json_string(quoted, text);
  out.append(quoted.data(), quoted.data() + quoted.size());
}

/// `%K`: the thread's name as a JSON string.
class JsonThreadNameFlag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg&, const std::tm&, spdlog::memory_buf_t& out) override {
    append_quoted(thread_name(), out);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JsonThreadNameFlag>();
  }
};

/// `%J`: the message as a JSON string.
class JsonMessageFlag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    append_quoted({message.payload.data(), message.payload.size()}, out);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JsonMessageFlag>();
  }
};

constexpr const char* kName = "seda";

std::unique_ptr<spdlog::formatter> make_formatter(const Options& options) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<ThreadNameFlag>('N').add_flag<PrefixFlag>('Q');
  formatter->add_flag<JsonThreadNameFlag>('K').add_flag<JsonMessageFlag>('J');
  if (options.json) {
    formatter->set_pattern(
        R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l","thread":%K,"message":%J})");
  } else if (options.level <= Level::debug) {
    formatter->set_pattern("%H:%M:%S.%e %N %^%l%$ %v");
  } else {
    formatter->set_pattern("%Q%v");
  }
  return formatter;
}

std::shared_ptr<spdlog::logger> make_logger(const Options& options) {
  auto sink = std::make_shared<Sink>(options.color ? spdlog::color_mode::always
                                                   : spdlog::color_mode::never);
  auto made = std::make_shared<spdlog::logger>(kName, std::move(sink));
  made->set_formatter(make_formatter(options));
  made->set_level(to_spdlog(options.level));
  made->flush_on(spdlog::level::trace);
  return made;
}

spdlog::logger& logger() {
  return *spdlog::default_logger_raw();
}

/// The first use, configured or not, must find our logger and not spdlog's own, which writes to
/// stdout. A library of ours that is loaded later finds what the program configured, and leaves it.
const bool kInstalled = [] {
  if (logger().name() != kName) spdlog::set_default_logger(make_logger({}));
  return true;
}();

}  // namespace

void configure(const Options& options) {
  spdlog::set_default_logger(make_logger(options));
}

void set_status(std::string_view line) {
  Status& below = status();
  const MutexLock lock(below.mutex);
  if (line.empty() && below.line.empty()) return;
  below.line = line;
  write_stderr(std::string(kEraseLine).append(line));
}

bool enabled(Level level) noexcept {
  return logger().should_log(to_spdlog(level));
}

void write(Level level, std::string_view message) {
  logger().log(to_spdlog(level), spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace seda::log
