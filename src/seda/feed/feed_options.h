// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "seda/config/config.h"
#include "seda/dataset/utterance.h"
#include "seda/device/device.h"
#include "seda/device/platform.h"
#include "seda/feed/clip_lengths.h"
#include "seda/feed/inject.h"
#include "seda/feed/sampler.h"

namespace seda::feed {

/// Who makes batches and who uses them.
struct Roles {
  device::Device data;   ///< Makes mels, pads.
  device::Device model;  ///< Has the slots.

  bool operator==(const Roles&) const = default;
};

/// What a role may allocate.
struct Budgets {
  bool isolated = false;  ///< The next two bind; else what is free does.
  uint64_t data_bytes = 0;
  uint64_t model_bytes = 0;

  bool operator==(const Budgets&) const = default;
};

/// What the keys `data.*` ask of a loader.
struct FeedOptions {
  Roles roles;
  Budgets budgets;
  std::string native_set_by;    ///< Where the next was said: "seda.yaml:12".
  bool native = true;           ///< Off: the reference loader.
  int workers = 0;              ///< 0: its part of `usable_cores()`.
  int processes = 1;            ///< That share the cores.
  int prefetch = 0;             ///< Batches gathered ahead on the host; 0: chosen.
  int slots = 3;                ///< On the model device, at least 2.
  bool one_deeper = true;       ///< One more slot than that.
  bool prefetch_to_gpu = true;  ///< Off: a batch goes to the device when `next` asks for it.
  bool own_copy_stream = true;
  bool transfer_always = false;  ///< Copy from role to role even on one device: two GPUs rehearsed.
  bool pinned = true;
  bool resident = false;  ///< The whole corpus lives on the data device.
  int batch_size = 16;    ///< Clips, for each rank.
  int batch_frames = 0;   ///< Not 0: as many clips as fit so many, instead.
  int num_buckets = 0;    ///< 0: chosen.
  bool fixed_shapes = true;
  LengthLimits limits;
  double max_fault_share = 0.01;
  dataset::Split split = dataset::Split::train;
  SamplerOptions order;
  SamplerState start;  ///< Where to go on.
  Inject inject;
  /// Called now and then while `Loader::next` waits for a batch; what it throws ends the call, and
  /// no batch is lost.
  std::function<void()> while_waiting;
  bool heeds_interrupt = true;  ///< Off: goes on after Ctrl-C; who takes its batches decides.
  bool announce = true;         ///< Say in the log which loader it is, and what memory it plans.
};

/// Of the ring on the model device, where nothing cuts them.
int wanted_slots(const FeedOptions& options);

/// Whether finished batches are copied from the data device to the model's.
bool sends_batches(const FeedOptions& options);

/// The key that says how large batches are, for whoever has to lower or raise it.
const char* batch_key(const FeedOptions& options);

/// How large they are: "16 clips", or "at most 8000 frames".
std::string batch_words(const FeedOptions& options);

/// Looks the devices up: without a word the model is on the first GPU, else the CPU, and data is
/// where the model is. A device that is not there is an Error(unavailable) that names those that
/// are; a budget above its card an Error(config) that names both.
FeedOptions feed_options(const config::Config& config, const device::Platform& platform);

}  // namespace seda::feed
