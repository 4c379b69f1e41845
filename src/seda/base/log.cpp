// SPDX-License-Identifier: Apache-2.0
#include "seda/base/log.h"

#include <memory>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include "seda/base/json.h"
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

/// `%J`: the message as a JSON string.
class JsonMessageFlag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    std::string quoted;
    append_json_string(quoted, {message.payload.data(), message.payload.size()});
    out.append(quoted.data(), quoted.data() + quoted.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JsonMessageFlag>();
  }
};

std::unique_ptr<spdlog::formatter> make_formatter(const Options& options) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<ThreadNameFlag>('N').add_flag<PrefixFlag>('Q').add_flag<JsonMessageFlag>('J');
  if (options.json) {
    formatter->set_pattern(
        R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l","thread":"%N","message":%J})");
  } else if (options.level <= Level::debug) {
    formatter->set_pattern("%H:%M:%S.%e %N %^%l%$ %v");
  } else {
    formatter->set_pattern("%Q%v");
  }
  return formatter;
}

std::shared_ptr<spdlog::logger> make_logger(const Options& options) {
  auto sink = std::make_shared<spdlog::sinks::ansicolor_stderr_sink_mt>(
      options.color ? spdlog::color_mode::always : spdlog::color_mode::never);
  auto made = std::make_shared<spdlog::logger>("seda", std::move(sink));
  made->set_formatter(make_formatter(options));
  made->set_level(to_spdlog(options.level));
  made->flush_on(spdlog::level::trace);
  return made;
}

spdlog::logger& logger() {
  return *spdlog::default_logger_raw();
}

/// The first use, configured or not, must find our logger and not spdlog's own, which writes to
/// stdout.
const bool installed = [] {
  spdlog::set_default_logger(make_logger({}));
  return true;
}();

}  // namespace

void configure(const Options& options) {
  spdlog::set_default_logger(make_logger(options));
}

bool enabled(Level level) noexcept {
  return logger().should_log(to_spdlog(level));
}

void write(Level level, std::string_view message) {
  logger().log(to_spdlog(level), spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace seda::log
