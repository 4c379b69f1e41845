// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "seda/config/config.h"
#include "seda/device/monitor.h"
#include "seda/device/platform.h"
#include "seda/diagnose/batch_times.h"
#include "seda/diagnose/consumer.h"
#include "seda/diagnose/disk.h"
#include "seda/diagnose/section.h"
#include "seda/diagnose/situation.h"
#include "seda/diagnose/storage_times.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/memory_plan.h"

namespace seda::diagnose {

// The eight sections of a diagnosis, from what was measured. Each file says one or two.

/// Every GPU with driver, clocks, power, PCIe and links; `use` is of the model's while it was fed.
/// No GPU is "not measured" with the reason, a limit met most of the time poor.
Section gpu_section(device::Monitor& monitor, const device::Platform& platform, const GpuUse& use);

/// Keys that are not at their defaults, with where each was said. No verdict: always good.
Section configuration_section(const config::Config& config);

/// What the counters of a real run prove about the way batches took.
struct PathFacts {
  std::string source;  ///< "cache (mapped)", "files".
  feed::FeedOptions options;
  feed::LoaderStatistics loader;  ///< Since it began.
};
Section path_section(const PathFacts& facts);

Section start_section(const StartUp& start);

/// `why` says why there is no profile.
Section step_section(const std::optional<StepProfile>& step, const std::string& why);

struct MemoryFacts {
  MachineUse machine;
  const feed::MemoryPlan* plan = nullptr;  ///< Null with the reference loader, which plans none.
  feed::FeedOptions options;
};
Section memory_section(const MemoryFacts& facts, const device::Platform& platform);

/// What reading the corpus' own files showed.
struct StorageFacts {
  Disk disk;
  std::string what;  ///< "the cache", "the sound files".
  int threads = 1;
  StorageTimes times;
  std::optional<double> cold_rate;  ///< Clips/s of the loader with the page cache dropped,
  double warm_rate = 0;             ///< and with it warm.
};
Section storage_section(const StorageFacts& facts);

/// The measured run.
struct RunFacts {
  const Consumption* run = nullptr;
  BatchTimes times;
  double step_s = 0;
  std::string step_source;  ///< "measured with the model", "--step-ms"; empty without.
};
Section run_section(const RunFacts& facts);

}  // namespace seda::diagnose
