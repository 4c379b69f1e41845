// SPDX-License-Identifier: Apache-2.0
#include "seda/train/ceiling.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"

namespace seda::train {
namespace {

// Updates with each batch; fewer of them where they are slow.
constexpr size_t kMostUpdates = 8;
constexpr size_t kLeastUpdates = 2;

constexpr double kMostShare = 1.05;  // beyond it, something else slowed resident batches down

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// A whole update from one batch, at a rate of zero.
void update(Engine& engine, const feed::Batch& batch, int accumulation) {
  throw_if_interrupted();
  for (int part = 0; part < accumulation; ++part)
    engine.step(batch, {.part = part});
}

/// Seconds of a step with this batch, once it has run.
double step_seconds(Engine& engine, const feed::Batch& batch, device::StreamView stream,
                    int accumulation, double most_s) {
  const Stopwatch time;
  update(engine, batch, accumulation);
  std::vector<device::Event> marks;
  marks.emplace_back(stream, device::EventTiming::on).record(stream);
  while (marks.size() <= kLeastUpdates ||
         (marks.size() <= kMostUpdates && time.seconds() < most_s)) {
    update(engine, batch, accumulation);
    marks.emplace_back(stream, device::EventTiming::on).record(stream);
  }
  engine.collect(0);
  std::vector<double> seconds;
  for (size_t i = 0; i + 1 < marks.size(); ++i)
    seconds.push_back(1e-3 * device::elapsed_ms(marks[i], marks[i + 1]));
  return median(std::move(seconds)) / accumulation;
}

/// What timing a shape takes at least, by the run's own steps of it: one update to begin with, then
/// those that count.
double least_seconds(const FigureCounter::BucketTime& seen, int accumulation) {
  return static_cast<double>(1 + kLeastUpdates) * accumulation * seen.seconds;
}

struct ResidentStep {
  double seconds = 0;
  double frames = 0;  // of its batch, padding included
};

using Times = std::map<uint32_t, ResidentStep>;  // by bucket

Times time_buckets(Engine& engine, feed::Loader& loader, device::StreamView stream,
                   const FigureCounter& run, int accumulation, double most_s) {
  const Stopwatch time;
  Times times;
  std::set<uint32_t> met;
  while (met.size() < run.buckets().size() && time.seconds() < most_s) {
    const auto lease = loader.next(stream);
    if (!lease) continue;
    const uint32_t bucket = (*lease)->info.bucket;
    if (!run.buckets().contains(bucket) || !met.insert(bucket).second) continue;
    if (least_seconds(run.buckets().at(bucket), accumulation) > most_s - time.seconds()) continue;
    const feed::BatchShape& shape = (*lease)->shape;
    times[bucket] = {
        .seconds = step_seconds(engine, **lease, stream, accumulation, most_s - time.seconds()),
        .frames = static_cast<double>(shape.batch) * shape.frames};
  }
  return times;
}

}  // namespace

std::optional<Ceiling> measure_ceiling(Engine& engine, feed::Loader& loader,
                                       device::StreamView stream, const FigureCounter& run,
                                       int accumulation, double most_s) {
  double best_s = 0;
  double real_s = 0;
  double batches = 0;
  double frames = 0;
  for (const auto& [bucket, step] :
       time_buckets(engine, loader, stream, run, accumulation, most_s)) {
    const auto& seen = run.buckets().at(bucket);
    const auto count = static_cast<double>(seen.batches);
    best_s += count * step.seconds;
    real_s += count * seen.seconds;
    batches += count;
    frames += count * step.frames;
  }
  if (best_s <= 0) return std::nullopt;
  return Ceiling{
      .batches_per_second = batches / best_s, .share = best_s / real_s, .frames = frames / batches};
}

std::optional<double> believable_share(const std::optional<Ceiling>& ceiling) {
  if (!ceiling) {
    log::info("the ceiling was not measured: its steps would have taken too long");
    return std::nullopt;
  }
  if (ceiling->share > kMostShare) {
    log::warning(
        "the ceiling was not measured: steps with resident batches took {:.0f} % longer than the "
        "run's, so other work shares the machine",
        100 * (ceiling->share - 1));
    return std::nullopt;
  }
  return std::min(1.0, ceiling->share);
}

}  // namespace seda::train
