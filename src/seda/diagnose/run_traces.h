// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seda/base/clock.h"
#include "seda/device/monitor.h"
#include "seda/device/platform.h"
#include "seda/device/process_monitor.h"
#include "seda/device/system_monitor.h"
#include "seda/diagnose/situation.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/loader.h"
#include "seda/report/line_chart.h"

namespace seda::diagnose {

/// A GPU whose work is watched.
struct WatchedGpu {
  std::string role;  ///< "model", "data".
  int index = 0;     ///< As the monitor counts.
};

/// The GPUs that the roles are on, as the monitor counts; none of the CPU, nor of what it does not
/// know.
std::vector<WatchedGpu> watched_gpus(const device::Monitor& monitor,
                                     const device::Platform& platform, const feed::Roles& roles);

/// What went on while a loader was measured; seconds from its beginning, shares 0–1.
struct RunTraces {
  report::Curve process_cores;
  report::Curve other_cores;
  report::Curve ready;       ///< Batches that lay ready on the model device,
  report::Curve host_ready;  ///< and on the host, where that is another place.
  struct Gpu {
    std::string role;
    report::Curve busy;
  };
  std::vector<Gpu> gpus;
  GpuUse model_gpu;  ///< No samples where there is none.
};

/// Collects them. One thread, which calls `look` between batches.
class TraceCollector {
 public:
  /// `loader` and `monitor` outlive it.
  TraceCollector(const feed::Loader& loader, device::Monitor& monitor,
                 std::vector<WatchedGpu> gpus);

  /// Looks where it is time to: at most 20 times a second. The first call only begins.
  void look();

  RunTraces take();

 private:
  void begin();
  void look_at_cores(double at_s);
  void look_at_batches(double at_s);
  void look_at_gpus(double at_s);
  void count(const device::GpuSample& sample, const device::GpuInfo& info);

  const feed::Loader& loader_;
  device::Monitor& monitor_;
  std::vector<WatchedGpu> gpus_;
  std::vector<device::GpuInfo> infos_;
  device::ProcessMonitor process_;
  device::SystemMonitor system_;
  std::optional<Stopwatch> time_;  // from the first look on
  double due_s_ = 0;
  double busy_sum_ = 0;
  double clock_sum_ = 0;
  size_t throttled_ = 0;
  RunTraces out_;
};

}  // namespace seda::diagnose
