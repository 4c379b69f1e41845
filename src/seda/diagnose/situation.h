// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "seda/config/schema.h"
#include "seda/diagnose/batch_times.h"
#include "seda/diagnose/start_up.h"
#include "seda/diagnose/step_profile.h"
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
  std::optional<uint64_t> free_bytes;     ///< Memory that can be had,
  std::optional<uint64_t> total_bytes;    ///< of so much.
  double major_faults_per_s = 0;          ///< Of this process; each waited for storage.
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
  int batch_frames = 0;      ///< Where not 0, what batches are measured by instead.
  uint64_t cache_bytes = 0;  ///< On disk; 0 where there is none.
};

/// Batches ahead that a run with a larger ring tries.
constexpr int larger_prefetch(const Settings& settings) {
  constexpr int kEnough = 16;
  return std::clamp(2 * settings.prefetch, kEnough, config::kMostAhead);
}

/// Workers that a run with more of them tries.
constexpr int more_workers_than(int workers) {
  return std::clamp(2 * workers, 2, config::kMostWorkers);
}

/// What the model's GPU did meanwhile, as its driver says; shares 0–1.
struct GpuUse {
  size_t samples = 0;
  std::optional<double> busy;  ///< Mean.
  double throttled = 0;  ///< Share of the samples that met a limit of power, heat or hardware.
  double clock = 1;      ///< Mean of its clock over the highest it has.
  std::vector<std::string> reasons;  ///< Of the limits met.
};

/// Everything that was measured of one loader at work.
struct Situation {
  feed::LoaderStatistics loader;   ///< Of the time measured alone.
  std::vector<BatchTime> batches;  ///< Of the same.
  double step_s = 0;               ///< Time the consumer worked on each batch; 0: none at all.
  double stall = 0;                ///< Share of the time in which it waited.
  MachineUse machine;
  Settings settings;
  // What was measured beside it in the same run, clips/s.
  std::optional<double> warm_rate;    ///< After this, where the page cache was dropped before.
  std::optional<double> native_rate;  ///< Where this is the reference loader.
  std::optional<double> more_workers_rate;  ///< With `more_workers` of them.
  int more_workers = 0;
  std::optional<double> larger_batch_rate;  ///< With `larger_batch` clips.
  int larger_batch = 0;
  std::optional<double> pinned_rate;       ///< With page-locked staging, where this has none.
  std::optional<double> larger_ring_rate;  ///< With twice the slots and batches ahead.
  std::optional<double> cached_rate;       ///< From a cache, where this reads raw files.
  std::optional<double> best_padding;      ///< Of the shapes that would be chosen.
  std::optional<StartUp> start;
  std::optional<StepProfile> step;
  std::optional<GpuUse> gpu;
  std::string unusable_gpu;  ///< Why a GPU that is there cannot be used; empty where none is so.
};

}  // namespace seda::diagnose
