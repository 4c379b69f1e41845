// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seda/feed/loader.h"

namespace seda::diagnose {

/// What the machine did while a loader was measured; cores' worth of time.
struct MachineUse {
  int usable_cores = 1;      ///< That this process may use.
  double process_cores = 0;  ///< Used by this process,
  double other_cores = 0;    ///< by all others,
  double idle_cores = 0;     ///< by none.
  double waiting_cores = 0;  ///< Threads of this process that could run but had no core.
  std::optional<uint64_t> storage_bytes;  ///< Read past the page cache, by this process.
  std::optional<uint64_t> free_bytes;     ///< Memory that can be had.
};

/// Settings of the measured loader that a verdict may name.
struct Settings {
  bool native = true;
  bool from_cache = true;  ///< Off: raw files.
  bool pinned = true;
  bool data_on_gpu = false;
  int prefetch = 0;  ///< 0: chosen.
  int slots = 3;
  int batch_size = 16;
  uint64_t cache_bytes = 0;  ///< On disk; 0 where there is none.
};

/// Everything that was measured of one loader at work.
struct Situation {
  feed::LoaderStatistics loader;  ///< Of the time measured alone.
  std::vector<double> batch_s;    ///< From each batch to the next.
  double step_s = 0;              ///< Time the consumer worked on each batch; 0: none at all.
  double stall = 0;               ///< Share of the time in which it waited.
  MachineUse machine;
  Settings settings;
  // What was measured beside it in the same run, clips/s.
  std::optional<double> warm_rate;    ///< After this, where the page cache was dropped before.
  std::optional<double> native_rate;  ///< Where this is the reference loader.
  std::optional<double> more_workers_rate;  ///< With `more_workers` of them.
  int more_workers = 0;
  std::optional<double> larger_batch_rate;  ///< With `larger_batch` clips.
  int larger_batch = 0;
};

}  // namespace seda::diagnose
