// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/loader.h"

namespace seda::feed {
namespace {

pipeline::SlotStatistics between(pipeline::SlotStatistics now,
                                 const pipeline::SlotStatistics& earlier) {
  for (size_t i = 0; i < pipeline::kSlotStates; ++i)
    now.dwell_s[i] -= earlier.dwell_s[i];
  now.published -= earlier.published;
  now.taken -= earlier.taken;
  now.abandoned -= earlier.abandoned;
  now.free_waits -= earlier.free_waits;
  now.free_wait_s -= earlier.free_wait_s;
  now.ready_waits -= earlier.ready_waits;
  now.ready_wait_s -= earlier.ready_wait_s;
  return now;
}

/// Averages over time, so that of the whole is the sum of both parts.
double mean_between(double now, double now_s, double earlier, double earlier_s) {
  const double seconds = now_s - earlier_s;
  return seconds <= 0 ? 0 : (now * now_s - earlier * earlier_s) / seconds;
}

}  // namespace

LoaderStatistics LoaderStatistics::since(const LoaderStatistics& earlier) const {
  LoaderStatistics out = *this;
  out.seconds -= earlier.seconds;
  for (size_t i = 0; i < out.stages.size() && i < earlier.stages.size(); ++i) {
    const LoaderStage& before = earlier.stages[i];
    out.stages[i].work = stages[i].work.since(before.work);
    out.stages[i].queue_mean =
        mean_between(stages[i].queue_mean, seconds, before.queue_mean, earlier.seconds);
  }
  out.host = between(host, earlier.host);
  out.slots = between(slots, earlier.slots);
  out.batches -= earlier.batches;
  out.clips -= earlier.clips;
  out.replaced -= earlier.replaced;
  out.real_frames -= earlier.real_frames;
  out.frames -= earlier.frames;
  out.wait_s -= earlier.wait_s;
  return out;
}

}  // namespace seda::feed
