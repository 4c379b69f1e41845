// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/queue_meter.h"

#include <numeric>

namespace seda::pipeline {
namespace {

double to_seconds(int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

double QueueStatistics::seconds() const {
  return std::accumulate(seconds_at.begin(), seconds_at.end(), 0.0);
}

double QueueStatistics::mean_occupancy() const {
  double items = 0;
  for (size_t held = 0; held < seconds_at.size(); ++held)
    items += static_cast<double>(held) * seconds_at[held];
  return share(items, seconds());
}

double QueueStatistics::empty_share() const {
  return seconds_at.empty() ? 0 : share(seconds_at.front(), seconds());
}

double QueueStatistics::full_share() const {
  return seconds_at.empty() ? 0 : share(seconds_at.back(), seconds());
}

QueueStatistics QueueStatistics::since(const QueueStatistics& earlier) const {
  QueueStatistics between = *this;
  between.puts -= earlier.puts;
  between.gets -= earlier.gets;
  between.blocked_put_s -= earlier.blocked_put_s;
  between.blocked_get_s -= earlier.blocked_get_s;
  for (size_t held = 0; held < earlier.seconds_at.size(); ++held)
    between.seconds_at[held] -= earlier.seconds_at[held];
  return between;
}

QueueMeter::QueueMeter(size_t capacity, const Clock& clock)
    : clock_(clock), last_ns_(clock.now_ns()), ns_at_(capacity + 1) {}

void QueueMeter::put() {
  pass_time();
  ++puts_;
}

void QueueMeter::get() {
  pass_time();
  ++gets_;
}

void QueueMeter::begin_put_wait() {
  pass_time();
  ++waiting_puts_;
}

void QueueMeter::end_put_wait() {
  pass_time();
  --waiting_puts_;
}

void QueueMeter::begin_get_wait() {
  pass_time();
  ++waiting_gets_;
}

void QueueMeter::end_get_wait() {
  pass_time();
  --waiting_gets_;
}

QueueStatistics QueueMeter::statistics() {
  pass_time();
  QueueStatistics statistics{.puts = puts_,
                             .gets = gets_,
                             .blocked_put_s = to_seconds(blocked_put_ns_),
                             .blocked_get_s = to_seconds(blocked_get_ns_),
                             .size = puts_ - gets_,
                             .seconds_at = {}};
  statistics.seconds_at.reserve(ns_at_.size());
  for (const int64_t ns : ns_at_)
    statistics.seconds_at.push_back(to_seconds(ns));
  return statistics;
}

void QueueMeter::pass_time() {
  const int64_t now = clock_.now_ns();
  const int64_t passed = now - last_ns_;
  last_ns_ = now;
  ns_at_[puts_ - gets_] += passed;
  blocked_put_ns_ += waiting_puts_ * passed;
  blocked_get_ns_ += waiting_gets_ * passed;
}

}  // namespace seda::pipeline
