// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/diagnose/cause.h"
#include "seda/diagnose/watch/watch_summary.h"

namespace seda::diagnose {

// Below these a watch is too short to judge.
constexpr size_t kLeastWatchSamples = 20;
constexpr double kLeastWatchSeconds = 2;

// docs/metrics.md
constexpr double kSlowedShare = 0.20;      ///< Of the time, by heat or hardware.
constexpr double kCappedClock = 0.50;      ///< Of the largest clock, at the power limit.
constexpr double kFreeMemory = 0.03;       ///< Of the machine's memory: less is pressure.
constexpr double kPressureSeconds = 60;    ///< Growth that lasted so long is a cause
constexpr double kFullSeconds = 6 * 3600;  ///< where memory is full within this.

/// What held a program back, seen from outside: the first rule that fits, in the order of
/// watch_verdict.cpp. A function of its arguments alone. Steady growth of memory that is not the
/// cause is told as evidence.
Verdict judge(const WatchRecord& record, const WatchSummary& summary);

}  // namespace seda::diagnose
