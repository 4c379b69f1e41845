// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/memory_needs.h"

#include <algorithm>
#include <cmath>

#include "seda/base/thread.h"
#include "seda/config/schema.h"
#include "seda/feed/batch_layout.h"
#include "seda/feed/packed_layout.h"
#include "seda/feed/resident_corpus.h"

namespace seda::feed {
namespace {

constexpr int kDataSlots = 2;  // uploads under way beside one being worked on
constexpr uint64_t kTableBytes = uint64_t{256} << 10;  // more than MelCuda's tables take
constexpr int kFewestHostSlots = 3;
constexpr int kMostHostSlots = 16;

int choose_prefetch(const FeedPlan& plan, int workers) {
  double longest = 0;
  double sum = 0;
  for (const ClipLength& clip : plan.lengths.clips) {
    longest = std::max(longest, static_cast<double>(clip.frames));
    sum += clip.frames;
  }
  const double batch = sum / static_cast<double>(plan.lengths.clips.size()) *
                       mean_batch(plan.lengths.clips, plan.buckets);
  const int covered = static_cast<int>(std::ceil(longest * workers / batch));
  return std::clamp(2 + covered, kFewestHostSlots, kMostHostSlots);
}

}  // namespace

int gathering_threads(const FeedOptions& options) {
  if (options.workers > 0) return options.workers;
  return std::clamp(usable_cores() / std::max(1, options.processes), 1, config::kMostWorkers);
}

FeedOptions with_prefetch(FeedOptions options, const FeedPlan& plan) {
  if (options.prefetch == 0) options.prefetch = choose_prefetch(plan, gathering_threads(options));
  return options;
}

MemoryNeeds memory_needs(const ClipSource& source, const FeedPlan& plan,
                         const FeedOptions& options) {
  const audio::MelOptions& mel = source.mel();
  const size_t finished = largest_batch_bytes(plan.buckets, mel.n_mels);
  const int slots = wanted_slots(options);
  MemoryNeeds out;
  out.model_slot_bytes = finished;
  out.host_slot_bytes = finished;
  if (options.resident) {
    out.resident_bytes = ResidentCorpus::bytes_needed(source, plan.lengths.clips);
  }
  if (options.roles.data.is_cuda()) {
    out.data_slots = kDataSlots;
    out.input_bytes = largest_packed_bytes(plan.buckets, source.kind(), mel, true);
    out.row_bytes = largest_packed_bytes(plan.buckets, source.kind(), mel, false);
    out.host_slot_bytes = out.input_bytes;
    out.output_bytes = sends_batches(options) ? finished : 0;
    out.table_bytes = kTableBytes;
  }
  const bool all_on_host = options.roles.data.is_cpu() && options.roles.model.is_cpu();
  out.host_slots = all_on_host ? options.prefetch + slots : std::max(options.prefetch, 2);
  out.model_slots = all_on_host ? 0 : slots;
  return out;
}

}  // namespace seda::feed
