// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/mutex.h"
#include "seda/device/monitor.h"
#include "seda/device/process_tree.h"
#include "seda/device/system_monitor.h"
#include "seda/diagnose/watch/watch_history.h"
#include "seda/diagnose/watch/watch_record.h"

namespace seda::diagnose {

struct WatchOptions {
  int process_id = 0;  ///< Watched with all below it; 0: the machine alone.
  double interval_s = 0.1;
};

/// Looks at GPUs, processes and machine in a thread of its own until it goes. Thread-safe.
class WatchSampler {
 public:
  explicit WatchSampler(const WatchOptions& options,
                        std::unique_ptr<device::Monitor> monitor = device::make_monitor());
  ~WatchSampler();
  WatchSampler(const WatchSampler&) = delete;
  WatchSampler& operator=(const WatchSampler&) = delete;

  /// Ends the looking; what was seen stays. Again is harmless.
  void stop();

  /// A copy of everything.
  WatchRecord record() const;
  /// The recent samples with a number above `number`.
  std::vector<WatchSample> after(uint64_t number) const;
  /// The newest sample; before the first, one that knows nothing.
  WatchSample latest() const;
  const WatchedMachine& machine() const noexcept { return machine_; }
  /// False once the watched process has ended; those below it may go on.
  bool process_alive() const;

 private:
  void run(const std::stop_token& stop);
  void look();
  WatchSample take();
  GpuPoint take_gpu(int gpu);
  void add_totals(const WatchSample& sample) SEDA_REQUIRES(mutex_);

  const WatchOptions options_;
  const std::unique_ptr<device::Monitor> monitor_;
  std::optional<device::ProcessTree> tree_;  // the thread's own, as is the next
  device::SystemMonitor system_;
  WatchedMachine machine_;
  Stopwatch stopwatch_;

  mutable Mutex mutex_;
  WatchHistory history_ SEDA_GUARDED_BY(mutex_);
  WatchRecord rest_ SEDA_GUARDED_BY(mutex_);  // what is not in the history
  std::jthread thread_;
};

}  // namespace seda::diagnose
