// SPDX-License-Identifier: Apache-2.0
#include "seda/base/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "seda/base/log.h"

namespace seda {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr double kRateMemory_s = 5;  // NOLINT(readability-identifier-naming): the unit

int64_t interval_ns(ProgressStyle style) {
  return style == ProgressStyle::terminal ? kSecond / 10 : 10 * kSecond;
}

int64_t first_due_ns(ProgressStyle style, int64_t now) {
  if (style == ProgressStyle::quiet) return std::numeric_limits<int64_t>::max();
  return now + (style == ProgressStyle::terminal ? kSecond : 10 * kSecond);
}

std::string rate_text(double rate) {
  const int decimals = rate >= 100 ? 0 : rate >= 1 ? 1 : 2;
  return fmt::format("{:.{}f}/s", rate, decimals);
}

/// "0:05", "12:40", "1:02:03".
std::string time_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::ceil(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

double share_done(const ProgressOptions& options, uint64_t done) {
  return std::min(1.0, static_cast<double>(done) / static_cast<double>(options.total));
}

/// Count, rate and time left.
std::string figures(const ProgressOptions& options, uint64_t done, double rate) {
  if (options.total == 0) return fmt::format("{} {}  {}", done, options.unit, rate_text(rate));
  std::string text = fmt::format("{:3.0f} %  {}/{} {}  {}", 100 * share_done(options, done), done,
                                 options.total, options.unit, rate_text(rate));
  const auto left = static_cast<double>(options.total - std::min(done, options.total));
  const double seconds_left = left / rate;
  if (rate > 0 && seconds_left < 1e6) text += fmt::format("  {} left", time_text(seconds_left));
  return text;
}

/// "[===>   ]", `width` columns wide; nothing where there is no room for it.
std::string bar(double share, int width) {
  constexpr int kLeastWidth = 8;
  if (width < kLeastWidth) return {};
  const int inside = width - 2;
  const int filled = static_cast<int>(share * inside);
  const std::string head = filled < inside ? ">" : "";
  return fmt::format("[{:<{}}]", std::string(filled, '=') + head, inside);
}

/// Shorter than the terminal is wide, so that it never wraps.
std::string terminal_line(const ProgressOptions& options, uint64_t done, double rate) {
  constexpr int kWidestBar = 32;
  const std::string text = figures(options, done, rate);
  std::string line = options.label + " ";
  if (options.total > 0) {
    const int room = options.width - 2 - static_cast<int>(line.size() + text.size());
    line += bar(share_done(options, done), std::min(kWidestBar, room)) + " ";
  }
  line += text;
  return line.substr(0, static_cast<size_t>(std::max(0, options.width - 1)));
}

}  // namespace

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::quiet;
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(STDERR_FILENO) != 0 && !dumb ? ProgressStyle::terminal : ProgressStyle::plain;
}

int terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void LogProgressSink::set_status(std::string_view line) {
  log::set_status(line);
}

void LogProgressSink::print(std::string_view line) {
  log::write(log::Level::info, line);
}

Progress::Progress(ProgressOptions options, const Clock& clock, ProgressSink& sink)
    : options_(std::move(options)),
      clock_(clock),
      sink_(sink),
      due_ns_(first_due_ns(options_.style, clock.now_ns())),
      drawn_ns_(clock.now_ns()) {}

void Progress::advance(uint64_t n) {
  done_.fetch_add(n, std::memory_order_relaxed);
  if (options_.style == ProgressStyle::quiet) return;
  const int64_t now = clock_.now_ns();
  int64_t due = due_ns_.load(std::memory_order_relaxed);
  if (now < due) return;
  const int64_t next = now + interval_ns(options_.style);
  if (due_ns_.compare_exchange_strong(due, next, std::memory_order_relaxed)) draw(now);
}

void Progress::draw(int64_t now_ns) {
  const MutexLock lock(mutex_);
  if (finished_) return;
  const uint64_t done = done_.load(std::memory_order_relaxed);
  update_rate(now_ns, done);
  show(done);
}

void Progress::update_rate(int64_t now_ns, uint64_t done) {
  const double passed = static_cast<double>(now_ns - drawn_ns_) * 1e-9;
  if (passed <= 0) return;
  const double recent = static_cast<double>(done - drawn_done_) / passed;
  const double weight = shown_ ? 1 - std::exp(-passed / kRateMemory_s) : 1;
  rate_ += weight * (recent - rate_);
  drawn_ns_ = now_ns;
  drawn_done_ = done;
}

void Progress::show(uint64_t done) {
  shown_ = true;
  if (options_.style == ProgressStyle::terminal) {
    sink_.set_status(terminal_line(options_, done, rate_));
  } else {
    sink_.print(fmt::format("{}: {}", options_.label, figures(options_, done, rate_)));
  }
}

void Progress::finish() {
  const MutexLock lock(mutex_);
  if (std::exchange(finished_, true) || !shown_) return;
  if (options_.style == ProgressStyle::terminal) return sink_.set_status({});
  const uint64_t done = done_.load(std::memory_order_relaxed);
  if (done == drawn_done_) return;
  update_rate(clock_.now_ns(), done);
  show(done);
}

}  // namespace seda
