// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/diagnose/bands.h"
#include "seda/diagnose/evidence.h"
#include "seda/diagnose/rules.h"

namespace seda::diagnose::rules {
namespace {

constexpr double kSlowTransferSeconds = 0.01;
constexpr double kIdleShare = 0.05;         // of the steps' time, lost on the GPU
constexpr double kSyncsOfNote = 0.5;        // a step: one at each log point is none
constexpr double kEnqueueShare = 0.95;      // of a step op by op, which the host needs to say so
constexpr double kBetterBatch = 1.5;        // times the clips/s, by twice the batch
constexpr double kNoteworthyPadding = 0.1;  // of the frames, saved by other shapes

/// What another way to take a step brings, in clips/s of the step alone.
Remedy with_step_gain(Remedy remedy, double before, double after) {
  const Gain gain{before, after, kStepUnit};
  remedy.expected_gain = fmt::format("{:.0f} -> {:.0f} {} ({:.1f} x)", gain.before, gain.after,
                                     gain.unit, gain.after / gain.before);
  remedy.gain = gain;
  return remedy;
}

/// The same where a step of the same batches takes `after_s`.
Remedy with_faster_step(Remedy remedy, const StepProfile& step, double after_s) {
  return with_step_gain(std::move(remedy), step.clips_per_second(),
                        step.clips_per_second(step.ceiling_frames, after_s));
}

}  // namespace

std::vector<Remedy> ways_of_a_step(const StepProfile& step, double times) {
  std::vector<Remedy> out;
  const auto add = [&](const char* key, const std::optional<double>& seconds) {
    if (!seconds || *seconds * times >= step.ceiling_s) return;
    out.push_back(with_faster_step(set_to(key, "true"), step, *seconds));
  };
  add("training.enable_graph_mode", step.as_graph_s);
  add("training.enable_xla_compilation", step.with_fused_s);
  return out;
}

std::optional<Verdict> unpinned_copies(const Situation& situation, const Figures& figures) {
  if (!situation.settings.data_on_gpu || situation.settings.pinned) return std::nullopt;
  const bool better =
      situation.pinned_rate && *situation.pinned_rate > kMeasurable * figures.clips_per_second();
  const bool waits = figures.paced() && figures.starved() &&
                     figures.device_s() >= kMost * situation.step_s && !situation.pinned_rate;
  if (!better && !waits) return std::nullopt;
  return Verdict{
      Cause::unpinned_copies,
      {"data.pin_memory is false: uploads start from pageable memory and hold up the "
       "thread that starts them",
       fmt::format("upload, features and transfer take {} a batch",
                   format_seconds(figures.device_s())),
       waiting(situation, figures)},
      {with_gain(set_to("data.pin_memory", "true"), situation.pinned_rate, situation, figures)}};
}

std::optional<Verdict> slow_transfer(const Situation& situation, const Figures& figures) {
  const double batch_s =
      situation.loader.seconds / std::max<double>(1, static_cast<double>(situation.loader.batches));
  if (figures.device_s() < kMost * batch_s) return std::nullopt;
  if (figures.paced() ? !figures.starved() : figures.device_s() < kSlowTransferSeconds) {
    return std::nullopt;
  }
  return Verdict{
      Cause::slow_transfer,
      {fmt::format("upload, features and transfer take {} of the {} a batch takes",
                   format_seconds(figures.device_s()), format_seconds(batch_s)),
       waiting(situation, figures)},
      {set_to("data.optimize_cpu_gpu_overlap", "true"), {"data.data_gpu: the model's device"}}};
}

std::optional<Verdict> host_sync(const Situation& situation, const Figures&) {
  if (!situation.step || situation.step->host_syncs < kSyncsOfNote) return std::nullopt;
  const StepProfile& step = *situation.step;
  const double idle = step.gpu_idle_share.value_or(0);
  if (idle < kIdleShare) return std::nullopt;
  std::vector<Remedy> remedies = {
      set_to("training.enable_eager_debug", "false"),
      {"take what reads a value of the device (item(), printing a loss) out of the step"}};
  for (Remedy& remedy : remedies) {
    if (!step.unwatched_s) continue;
    remedy = with_faster_step(std::move(remedy), step, *step.unwatched_s);
  }
  return Verdict{
      Cause::host_sync,
      {fmt::format("the host waits for the device {:.1f} times a step", step.host_syncs),
       fmt::format("meanwhile the GPU is idle {} of the steps' time", format_percent(idle))},
      std::move(remedies)};
}

std::optional<Verdict> launch_bound(const Situation& situation, const Figures&) {
  if (!situation.step || !situation.step->model.is_cuda()) return std::nullopt;
  const StepProfile& step = *situation.step;
  if (!step.as_graph_s) return std::nullopt;
  const bool host_is_the_limit = step.host_s >= kEnqueueShare * step.ceiling_s;
  const double times = host_is_the_limit ? kMeasurable : kWorthwhile;
  if (*step.as_graph_s * times >= step.ceiling_s) return std::nullopt;
  return Verdict{
      Cause::launch_bound,
      {fmt::format("a step takes {} as configured ({}) and {} as a CUDA graph",
                   format_seconds(step.ceiling_s), step.path, format_seconds(*step.as_graph_s)),
       fmt::format("the host needs {} to enqueue one op by op", format_seconds(step.host_s))},
      ways_of_a_step(step, kMeasurable)};
}

std::optional<Verdict> batch_too_small(const Situation& situation, const Figures& figures) {
  if (situation.step && situation.step->larger_batch_s) {
    const StepProfile& step = *situation.step;
    const bool by_frames = step.batch_frames > 0;
    const int size = by_frames ? step.batch_frames : step.batch_size;
    const double now = step.clips_per_second();
    const double larger = step.clips_per_second(step.larger_frames, *step.larger_batch_s);
    if (step.larger_batch <= size || larger < kBetterBatch * now) return std::nullopt;
    const char* key = by_frames ? "data.batch_frames" : "data.batch_size";
    return Verdict{
        Cause::batch_too_small,
        {fmt::format("a step of {} {} takes {}, one of {} {}: {:.0f} against {:.0f} clips/s", size,
                     by_frames ? "frames" : "clips", format_seconds(step.ceiling_s),
                     step.larger_batch, format_seconds(*step.larger_batch_s), now, larger)},
        {with_step_gain(set_to(key, std::to_string(step.larger_batch)), now, larger)}};
  }
  if (situation.settings.batch_frames > 0) return std::nullopt;  // trials vary clips alone
  if (!situation.larger_batch_rate ||
      *situation.larger_batch_rate < kBetterBatch * figures.clips_per_second()) {
    return std::nullopt;
  }
  if (situation.larger_batch <= situation.settings.batch_size) return std::nullopt;
  return Verdict{Cause::batch_too_small,
                 {fmt::format("batches of {} clips bring {:.0f} clips/s, of {} {:.0f}",
                              situation.settings.batch_size, figures.clips_per_second(),
                              situation.larger_batch, *situation.larger_batch_rate)},
                 {with_gain(set_to("data.batch_size", std::to_string(situation.larger_batch)),
                            situation.larger_batch_rate, situation, figures)}};
}

std::optional<Verdict> padding_waste(const Situation& situation, const Figures& figures) {
  if (band(figures.padding(), kPaddingBounds) != Band::poor) return std::nullopt;
  const auto& best = situation.best_padding;
  if (best && figures.padding() - *best < kNoteworthyPadding) return std::nullopt;
  Remedy remedy = set_to("data.num_buckets", "auto");
  if (best) {
    remedy.gain = Gain{1 - figures.padding(), 1 - *best, "share of real frames"};
    remedy.expected_gain = fmt::format("{:.0f} -> {:.0f} % of the frames are real",
                                       100 * (1 - figures.padding()), 100 * (1 - *best));
  }
  return Verdict{Cause::padding_waste,
                 {fmt::format("{} of all frames are padding", format_percent(figures.padding()))},
                 {std::move(remedy)}};
}

}  // namespace seda::diagnose::rules
