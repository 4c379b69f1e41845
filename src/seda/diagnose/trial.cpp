// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/trial.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/distribution.h"
#include "seda/base/random.h"
#include "seda/diagnose/consumer.h"
#include "seda/feed/make_loader.h"

namespace seda::diagnose {
namespace {

constexpr uint64_t kSeed = 1;
constexpr size_t kMany = 1'000'000;  // batches: time ends a run

double median(std::span<const TrialRun> runs, double TrialRun::* figure) {
  Distribution values;
  for (const TrialRun& run : runs)
    values.add(run.*figure);
  return runs.empty() ? 0 : values.quantile(0.5);
}

feed::FeedOptions with(feed::FeedOptions options, const TrialSettings& settings) {
  options.workers = settings.workers;
  options.batch_size = settings.batch_size;
  options.batch_frames = settings.batch_frames;
  options.prefetch = settings.prefetch;
  options.slots = settings.slots;
  options.announce = false;
  return options;
}

/// Whether `a` takes less of the machine: workers first, then batch, slots and batches ahead.
bool is_cheaper(const TrialSettings& a, const TrialSettings& b) {
  const auto cost = [](const TrialSettings& s) {
    return std::tuple(s.workers, s.batch_size, s.slots, s.prefetch);
  };
  return cost(a) < cost(b);
}

}  // namespace

TrialSettings trial_settings(const feed::FeedOptions& options) {
  return {.workers = options.workers,
          .batch_size = options.batch_size,
          .prefetch = options.prefetch,
          .slots = options.slots,
          .batch_frames = options.batch_frames};
}

Json to_json(const TrialSettings& settings) {
  const auto or_auto = [](int value) { return value > 0 ? Json(value) : Json("auto"); };
  return {{"num_workers", or_auto(settings.workers)},
          {"batch_size", settings.batch_frames > 0 ? Json() : Json(settings.batch_size)},
          {"batch_frames", settings.batch_frames > 0 ? Json(settings.batch_frames) : Json()},
          {"prefetch_buffer_size", or_auto(settings.prefetch)},
          {"pipeline_buffer_size", settings.slots}};
}

std::string to_string(const TrialSettings& settings) {
  const auto or_auto = [](int value) { return value > 0 ? std::to_string(value) : "auto"; };
  const std::string batch = settings.batch_frames > 0
                                ? fmt::format("{} frames", settings.batch_frames)
                                : std::to_string(settings.batch_size);
  return fmt::format("workers {}, batch {}, ahead {}, slots {}", or_auto(settings.workers), batch,
                     or_auto(settings.prefetch), settings.slots);
}

double Trial::clips_per_second() const {
  return median(runs, &TrialRun::clips_per_second);
}
double Trial::stall() const {
  return median(runs, &TrialRun::stall);
}
double Trial::batch_s() const {
  return median(runs, &TrialRun::batch_s);
}
std::optional<double> Trial::variation() const {
  Distribution values;
  for (const TrialRun& run : runs) {
    if (run.variation) values.add(*run.variation);
  }
  return values.count() > 0 ? std::optional(values.quantile(0.5)) : std::nullopt;
}
double Trial::idle_cores() const {
  return median(runs, &TrialRun::idle_cores);
}

double spread(const Trial& trial, double TrialRun::* figure) {
  Distribution values;
  for (const TrialRun& run : trial.runs)
    values.add(run.*figure);
  return trial.runs.empty() ? 0 : (values.max() - values.min()) / 2;
}

void warm_up(const feed::OpenedClips& clips, const feed::FeedOptions& options,
             const device::Platform& platform, double most_s) {
  feed::FeedOptions silent = options;
  silent.announce = false;
  const auto loader = feed::make_loader(clips, silent, platform);
  consume(*loader, platform, options.roles.model,
          {.batches = loader->batches_per_epoch(), .most_s = most_s});
}

RunTrial trial_runner(const feed::OpenedClips& clips, const feed::FeedOptions& options,
                      const device::Platform& platform, double step_s, double seconds) {
  return [=, &platform](const TrialSettings& settings) {
    const auto loader = feed::make_loader(clips, with(options, settings), platform);
    const device::Device model = options.roles.model;
    // What lies ready from the start would flatter a short run.
    consume(*loader, platform, model, {.batches = kMany, .most_s = seconds / 3, .step_s = step_s});
    const Consumption run = consume(
        *loader, platform, model, {.batches = kMany, .most_s = seconds * 2 / 3, .step_s = step_s});
    return TrialRun{run.clips_per_second(), run.stall(), run.mean_batch_s(),
                    summarize(run.batches).robust_variation, run.machine.idle_cores};
  };
}

void run_interleaved(std::span<Trial> trials, int repeats, const RunTrial& run,
                     const std::function<void()>& after_run) {
  std::vector<size_t> order(trials.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (int round = 0; round < repeats; ++round) {
    Random random(kSeed, static_cast<uint64_t>(round));
    random.shuffle(std::span(order));
    for (const size_t place : order) {
      trials[place].runs.push_back(run(trials[place].settings));
      if (after_run) after_run();
    }
  }
}

const Trial* fastest(std::span<const Trial> trials) {
  const auto best = std::ranges::max_element(trials, {}, &Trial::clips_per_second);
  return best == trials.end() ? nullptr : &*best;
}

const Trial* cheapest_good(std::span<const Trial> trials, double step_s) {
  const Trial* best = fastest(trials);
  const auto keeps_up = [&](const Trial& trial) { return step_s > 0 && trial.stall() <= kNoStall; };
  const bool any_keeps_up = std::ranges::any_of(trials, keeps_up);
  const Trial* cheapest = nullptr;
  for (const Trial& trial : trials) {
    const bool good = any_keeps_up
                          ? keeps_up(trial)
                          : trial.clips_per_second() >= kGoodShare * best->clips_per_second();
    if (good && (cheapest == nullptr || is_cheaper(trial.settings, cheapest->settings)))
      cheapest = &trial;
  }
  return cheapest;
}

}  // namespace seda::diagnose
