// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_verdict.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/units.h"
#include "seda/diagnose/watch/watch_host.h"

namespace seda::diagnose {
namespace {

constexpr double kSteadySwing = 0.30;  // between the quantiles: hardly more or less busy

struct Watched {
  const WatchRecord& record;
  const WatchSummary& summary;

  const GpuSummary& gpu() const { return summary.gpus[summary.gpu.value_or(0)]; }
  double swing() const { return gpu().high_quantile - gpu().low_quantile; }
  bool oscillates() const { return summary.oscillation.found && swing() >= kDeepSwing; }
};

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  std::ranges::move(more, std::back_inserter(to));
}

std::string gpu_text(const Watched& watched) {
  const size_t index = watched.summary.gpu.value_or(0);
  std::string text = fmt::format("GPU {} was busy {} of the time", index,
                                 format_percent(watched.gpu().mean.utilization));
  if (is_known(watched.gpu().mean.sm_activity))
    text += fmt::format(" (multiprocessors {})", format_percent(watched.gpu().mean.sm_activity));
  return text + fmt::format(", over {}", format_seconds(watched.summary.seconds));
}

std::vector<std::string> rhythm_text(const Watched& watched) {
  if (!watched.oscillates()) return {};
  return {fmt::format(
      "its use swings between {} and {} every {}", format_percent(watched.gpu().low_quantile),
      format_percent(watched.gpu().high_quantile), format_seconds(watched.summary.period_s))};
}

std::optional<Verdict> too_short(const Watched& watched) {
  const WatchSummary& summary = watched.summary;
  if (summary.samples >= kLeastWatchSamples && summary.seconds >= kLeastWatchSeconds) return {};
  return Verdict{Cause::unknown,
                 {fmt::format("too short to judge: {} samples in {}; {} samples and {} are needed",
                              summary.samples, format_seconds(std::max(0.0, summary.seconds)),
                              kLeastWatchSamples, format_seconds(kLeastWatchSeconds)),
                  watched.record.machine.gpus.empty()
                      ? "no GPU to watch: " + watched.record.machine.gpu_absence
                      : "after the first use of a GPU"},
                 {}};
}

std::optional<Verdict> throttled(const Watched& watched) {
  const WatchSummary& summary = watched.summary;
  for (size_t i = 0; i < summary.gpus.size(); ++i) {
    const GpuSummary& gpu = summary.gpus[i];
    const double most_mhz = watched.record.machine.gpus[i].sm_clock_max_mhz.value_or(0);
    const bool slowed = gpu.mean.slowed >= kSlowedShare;
    const bool capped =
        gpu.mean.power_capped >= kSlowedShare && gpu.mean.sm_clock_mhz < kCappedClock * most_mhz;
    if (!gpu.used || !(slowed || capped)) continue;
    const double share = slowed ? gpu.mean.slowed : gpu.mean.power_capped;
    return Verdict{
        Cause::gpu_throttled,
        {fmt::format("GPU {} was slowed {} of the time: {}", i, format_percent(share),
                     fmt::join(watched.record.limits[i], ", ")),
         fmt::format("its clock was {:.0f} of {:.0f} MHz, {:.0f} °C, {:.0f} W",
                     gpu.mean.sm_clock_mhz, most_mhz, gpu.mean.temperature_c, gpu.mean.power_w)},
        {{"see to its cooling and power supply, or raise its power limit", ""}}};
  }
  return std::nullopt;
}

Verdict without_gpu(const Watched& watched, std::string why) {
  Verdict host = judge_host(watched.summary.host, watched.record.machine, {});
  std::vector<std::string> evidence = {std::move(why)};
  if (host.cause != Cause::unknown)
    evidence.push_back(fmt::format("of CPU and storage: {}", to_string(host.cause)));
  append(evidence, std::move(host.evidence));
  return {Cause::no_gpu, std::move(evidence), std::move(host.remedies)};
}

std::optional<Verdict> no_gpu(const Watched& watched) {
  if (!watched.record.machine.gpus.empty()) return std::nullopt;
  return without_gpu(watched, "no GPU to watch: " + watched.record.machine.gpu_absence);
}

std::optional<Verdict> unused_gpu(const Watched& watched) {
  if (watched.summary.gpu) return std::nullopt;
  const auto readable = [](const GpuSummary& gpu) { return is_known(gpu.mean.utilization); };
  if (!std::ranges::any_of(watched.summary.gpus, readable)) {
    return without_gpu(watched, "the driver does not tell how busy the GPUs are");
  }
  return without_gpu(watched,
                     fmt::format("none of {} GPUs was used", watched.record.machine.gpus.size()));
}

std::optional<Verdict> little_memory(const Watched& watched) {
  const HostPoint& host = watched.summary.host;
  const double total = watched.record.machine.memory_total_bytes;
  if (!(host.memory_available_bytes < kFreeMemory * total)) return std::nullopt;
  return Verdict{Cause::memory_pressure,
                 {fmt::format("{} of {} memory were left",
                              format_bytes(static_cast<uint64_t>(host.memory_available_bytes)),
                              format_bytes(static_cast<uint64_t>(total)))},
                 {{"fewer workers, a smaller cache in memory, or smaller batches", ""}}};
}

std::optional<Verdict> starved(const Watched& watched) {
  if (watched.gpu().mean.utilization >= kWellFed) return std::nullopt;
  const GpuPattern pattern{.known = true,
                           .steady = watched.swing() < kSteadySwing,
                           .phases = watched.swing() >= kDeepSwing};
  Verdict host = judge_host(watched.summary.starved_host, watched.record.machine, pattern);
  std::vector<std::string> evidence = {gpu_text(watched)};
  append(evidence, rhythm_text(watched));
  append(evidence, std::move(host.evidence));
  return Verdict{host.cause, std::move(evidence), std::move(host.remedies)};
}

/// A memory that grows, and how long until it is full.
struct Filling {
  std::string text;
  Growth growth;
  double full_s = 0;
};

Filling filling(std::string_view what, const Growth& growth, double left_bytes) {
  Filling out{.text = {}, .growth = growth, .full_s = left_bytes / growth.per_second};
  out.text = fmt::format("{} grew steadily, {} a minute", what,
                         format_bytes(static_cast<uint64_t>(60 * growth.per_second)));
  if (is_known(out.full_s))
    out.text += fmt::format(", at that rate full in {}", format_seconds(out.full_s));
  return out;
}

double last_known(const std::vector<WatchSample>& samples, size_t gpu) {
  return samples.empty() ? kUnknown : samples.back().gpus[gpu].memory_bytes;
}

std::vector<Filling> fillings(const Watched& watched) {
  std::vector<Filling> out;
  const WatchRecord& record = watched.record;
  if (watched.summary.resident.steady) {
    const double left =
        record.recent.empty() ? kUnknown : record.recent.back().host.memory_available_bytes;
    out.push_back(filling("memory of the process", watched.summary.resident, left));
  }
  for (size_t i = 0; i < watched.summary.gpus.size(); ++i) {
    const Growth& growth = watched.summary.gpus[i].memory;
    if (!growth.steady) continue;
    const auto total = record.machine.gpus[i].memory_total_bytes;
    const double left =
        total ? static_cast<double>(*total) - last_known(record.recent, i) : kUnknown;
    out.push_back(filling(fmt::format("memory of GPU {}", i), growth, left));
  }
  return out;
}

std::optional<Verdict> filling_up(const Watched& watched) {
  for (const Filling& one : fillings(watched)) {
    if (one.growth.seconds < kPressureSeconds || !(one.full_s < kFullSeconds)) continue;
    return Verdict{Cause::memory_pressure,
                   {one.text, gpu_text(watched)},
                   {{"look for what is kept from step to step: losses with their graphs, lists "
                     "that grow, caches without a limit",
                     ""}}};
  }
  return std::nullopt;
}

Verdict healthy(const Watched& watched) {
  Verdict verdict{Cause::healthy, {gpu_text(watched)}, {}};
  append(verdict.evidence, rhythm_text(watched));
  return verdict;
}

Verdict first_fitting(const Watched& watched) {
  for (const auto rule : {no_gpu, unused_gpu, little_memory, throttled, starved, filling_up}) {
    if (const auto verdict = rule(watched)) return *verdict;
  }
  return healthy(watched);
}

}  // namespace

Verdict judge(const WatchRecord& record, const WatchSummary& summary) {
  const Watched watched{record, summary};
  if (const auto verdict = too_short(watched)) return *verdict;
  Verdict verdict = first_fitting(watched);
  for (const Filling& one : fillings(watched)) {
    if (std::ranges::find(verdict.evidence, one.text) == verdict.evidence.end())
      verdict.evidence.push_back(one.text);
  }
  return verdict;
}

}  // namespace seda::diagnose
