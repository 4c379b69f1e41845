// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/diagnose/cause.h"
#include "seda/diagnose/watch/watch_record.h"

namespace seda::diagnose {

// From which on something of the host counts as busy; docs/metrics.md.
constexpr double kMachineFull = 0.90;        ///< Of all cores in use: none is left.
constexpr double kOthersShare = 0.25;        ///< Of all cores, used by other processes.
constexpr double kCoreWait = 0.2;            ///< Cores' worth of waiting for a core.
constexpr double kWantsCores = 0.5;          ///< Cores' worth of using one, by several threads.
constexpr double kOwnCoresFull = 0.85;       ///< Of the cores it may use, used by the process.
constexpr double kIoWaitCores = 0.3;         ///< Cores idle with a disk request open.
constexpr double kDiskBusy = 0.70;           ///< Of the time, with bytes going to or from it.
constexpr double kReadBytesPerSecond = 1e6;  ///< Read or written by the process.
constexpr double kMajorFaults = 50;          ///< For each second.
constexpr double kDiskWaiters = 0.3;         ///< Processes in disk wait, mean.
constexpr double kOneCore = 0.80;            ///< Cores: one thread is held back by itself.
constexpr double kMoreThanOneCore = 1.30;    ///< Cores: several threads are at work.
constexpr double kIdleCores = 0.5;           ///< Cores with nothing to do.

/// How a GPU was used while it waited: what the host alone cannot tell.
struct GpuPattern {
  bool known = false;   ///< There is a GPU at all.
  bool steady = false;  ///< Hardly more or less busy from sample to sample.
  bool phases = false;  ///< Now busy, now idle.
};

/// What the processes were held back by, from means of the time in which they were: who took the
/// cores, whether storage was waited for, or how many of the cores they could use at all.
/// `unknown` where nothing of that was busy.
Verdict judge_host(const HostPoint& host, const WatchedMachine& machine, const GpuPattern& gpu);

}  // namespace seda::diagnose
