// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/figures.h"

#include <algorithm>

#include "seda/base/distribution.h"
#include "seda/diagnose/bands.h"
#include "seda/feed/worker_control.h"

namespace seda::diagnose {
namespace {

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

Figures::Figures(const Situation& situation)
    : situation_(situation), work_(feed::gathered_work(situation.loader)) {
  const feed::LoaderStatistics& loader = situation.loader;
  worker_s_ = std::max(work_.busy_s, loader.workers * loader.seconds);
}

bool Figures::starved() const {
  return paced() ? situation_.stall >= kStallBounds.good
                 : band_batch_s() >= kBatchSecondsBounds.good;
}

double Figures::clips_per_second() const {
  return ratio(static_cast<double>(situation_.loader.clips), situation_.loader.seconds);
}

double Figures::band_batch_s() const {
  return ratio(kBandClips * situation_.loader.seconds,
               static_cast<double>(situation_.loader.clips));
}

double Figures::busy(std::string_view stage) const {
  for (const feed::LoaderStage& one : situation_.loader.stages) {
    if (one.name == stage) return one.work.busy_s;
  }
  return 0;
}

double Figures::band_s(std::string_view stage) const {
  return ratio(kBandClips * busy(stage), static_cast<double>(situation_.loader.clips));
}

double Figures::device_s() const {
  return ratio(busy("upload") + busy("features") + busy("transfer"),
               static_cast<double>(situation_.loader.batches));
}

double Figures::busy_share() const {
  return ratio(work_.busy_s, worker_s_);
}

double Figures::blocked_out_share() const {
  return ratio(work_.blocked_out_s, worker_s_);
}

double Figures::off_core_share() const {
  const MachineUse& machine = situation_.machine;
  const double cores_s =
      (machine.process_cores + machine.waiting_cores) * situation_.loader.seconds;
  return std::clamp(ratio(work_.busy_s - cores_s, work_.busy_s), 0.0, 1.0);
}

double Figures::core_wait_share() const {
  const double waited_s = situation_.machine.waiting_cores * situation_.loader.seconds;
  return std::min(1.0, ratio(waited_s, work_.busy_s));
}

bool Figures::cores_idle() const {
  return situation_.machine.idle_cores >= 0.5;
}

double Figures::padding() const {
  const auto frames = static_cast<double>(situation_.loader.frames);
  return ratio(frames - static_cast<double>(situation_.loader.real_frames), frames);
}

double Figures::storage_share() const {
  return ratio(static_cast<double>(situation_.machine.storage_bytes.value_or(0)),
               static_cast<double>(work_.bytes));
}

Tail tail_of(const Situation& situation) {
  Distribution times;
  Distribution clips;
  for (const BatchTime& batch : situation.batches) {
    times.add(batch.seconds);
    clips.add(static_cast<double>(batch.clips));
  }
  const double median_clips = clips.quantile(0.5);
  Tail tail{.median_s = times.quantile(0.5)};
  for (const BatchTime& batch : situation.batches) {
    // More clips may take as much longer, the more so where each is a file to open.
    const double size = std::max(1.0, ratio(static_cast<double>(batch.clips), median_clips));
    const double expected_s = size * tail.median_s;
    if (batch.seconds < kFarLongerTimes * expected_s || batch.seconds < kFarLongerSeconds) continue;
    ++tail.batches;
    tail.longest_s = std::max(tail.longest_s, batch.seconds);
    tail.lost_s += batch.seconds - expected_s;
  }
  return tail;
}

}  // namespace seda::diagnose
