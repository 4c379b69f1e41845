// SPDX-License-Identifier: Apache-2.0
#include "seda/train/profile_dual.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/diagnose/verdict.h"
#include "seda/train/rehearsal.h"

namespace seda::train {
namespace {

constexpr double kNoGain = 1.02;     // less is noise
constexpr double kMostRecorded = 2;  // seconds

/// Shares that a level asks for.
struct LevelBounds {
  DualLevel level;
  double data_busy;
  double model_busy;
  double variation;
  double gain;
};
constexpr LevelBounds kLevels[] = {{DualLevel::excellent, 0.60, 0.90, 0.20, 2},
                                   {DualLevel::good, 0.50, 0.80, 0.30, 0},
                                   {DualLevel::minimum, 0.40, 0.70, 0.40, 0}};

const pipeline::StageStatistics* find(const feed::LoaderStatistics& loader, std::string_view name) {
  const auto stage = std::ranges::find(loader.stages, name, &feed::LoaderStage::name);
  return stage == loader.stages.end() ? nullptr : &stage->work;
}

/// Share of the time in which the data role's device worked; of a CPU, of its threads'.
std::optional<double> data_busy(const RehearsalFigures& seen, bool on_gpu) {
  double busy_s = 0;
  const auto names = on_gpu ? std::vector<const char*>{"upload", "features", "transfer"}
                            : std::vector<const char*>{"read", "decode", "mel"};
  for (const char* name : names) {
    if (const auto* work = find(seen.loader, name)) busy_s += work->busy_s;
  }
  const double all_s = seen.loader.seconds * (on_gpu ? 1 : std::max(1, seen.loader.workers));
  if (all_s <= 0) return std::nullopt;
  return std::min(1.0, busy_s / all_s);
}

std::optional<double> transfer_gb_s(const RehearsalFigures& seen) {
  const auto* work = find(seen.loader, "transfer");
  if (work == nullptr || work->busy_s <= 0 || work->bytes == 0) return std::nullopt;
  return 1e-9 * static_cast<double>(work->bytes) / work->busy_s;
}

double updates_per_second(const RehearsalFigures& seen, const TrainOptions& train) {
  return seen.steps.figures().batches_per_second / train.optimizer.accumulation;
}

class Profiler {
 public:
  Profiler(const TrainOptions& train, const Library& library, const device::Platform& platform,
           const DualProfileOptions& options)
      : train_(train),
        library_(library),
        platform_(platform),
        options_(options),
        setup_(set_up(train, platform)) {}

  DualProfile profile() {
    const feed::FeedOptions dual = dual_feed();
    const RehearsalFigures two = run(dual);
    const RehearsalFigures one = run(one_device());
    fill(two, one);
    out_.verdict = judge(two, dual);
    return out_;
  }

 private:
  /// Where both roles share a device, finished batches are copied all the same: what a second
  /// device would add to the work.
  feed::FeedOptions dual_feed() {
    feed::FeedOptions feed = setup_.feed;
    out_.shares_device = feed.roles.data == feed.roles.model;
    feed.transfer_always = feed.roles.model.is_cuda() && out_.shares_device;
    return feed;
  }

  feed::FeedOptions one_device() const {
    feed::FeedOptions feed = setup_.feed;
    feed.roles.data = feed.roles.model;
    return feed;
  }

  RehearsalFigures run(const feed::FeedOptions& feed) {
    Rehearsal run(train_, setup_, feed, engine_options(train_, setup_), library_, platform_);
    RehearsalFigures seen = run.learn({.updates = options_.steps,
                                       .most_s = options_.most_s,
                                       .watches_gpus = options_.watches_gpus});
    if (out_.roles.empty()) {
      add_roles(seen, feed);
      if (const auto busy = run.time_kernels(seen.steps, kMostRecorded))
        out_.roles.back().busy = busy->share();
    }
    return seen;
  }

  /// While its memory is still held.
  void add_roles(const RehearsalFigures& seen, const feed::FeedOptions& feed) {
    const feed::Budgets& budgets = feed.budgets;
    const auto budget = [&](uint64_t bytes) {
      return budgets.isolated ? std::optional(bytes) : std::nullopt;
    };
    out_.roles = {{.role = "data",
                   .device = feed.roles.data,
                   .busy = data_busy(seen, feed.roles.data.is_cuda()),
                   .budget_bytes = budget(budgets.data_bytes)},
                  {.role = "model",
                   .device = feed.roles.model,
                   .busy = 1 - seen.steps.figures().stall,
                   .budget_bytes = budget(budgets.model_bytes)}};
    if (!options_.watches_gpus) return;
    for (RoleUse& role : out_.roles)
      watch(role, seen);
  }

  void watch(RoleUse& role, const RehearsalFigures& seen) const {
    if (!role.device.is_cuda()) return;
    const auto gpu = std::ranges::find(seen.gpus, role.device, &GpuFigures::device);
    if (gpu != seen.gpus.end()) role.utilization = gpu->utilization_mean;
    const device::DeviceMemory memory = platform_.memory(role.device);
    role.memory_bytes = memory.total_bytes - memory.free_bytes;
  }

  void fill(const RehearsalFigures& two, const RehearsalFigures& one) {
    const pipeline::SlotStatistics& slots = two.loader.slots;
    for (size_t state = 0; state < pipeline::kSlotStates; ++state) {
      if (slots.taken == 0) continue;
      out_.dwell_s[state] = slots.dwell_s[state] / static_cast<double>(slots.taken);
    }
    out_.transfer_gb_s = transfer_gb_s(two);
    out_.variation = two.steps.times().variation;
    out_.stall = two.steps.figures().stall;
    out_.steps_per_second = updates_per_second(two, train_);
    out_.one_device_steps_per_second = updates_per_second(one, train_);
    if (out_.one_device_steps_per_second > 0) {
      out_.gain = out_.steps_per_second / out_.one_device_steps_per_second;
    }
    const RoleUse& data = out_.roles.front();
    if (!data.device.is_cuda() || out_.shares_device) return;  // levels are of two GPUs
    if (!out_.variation) return;
    out_.level = level_of(data.busy.value_or(0), out_.roles.back().busy.value_or(0),
                          *out_.variation, out_.gain);
  }

  std::string compared() const {
    return fmt::format("{:.2f} steps/s with data on {} and the model on {}, {:.2f} with both on {}",
                       out_.steps_per_second, to_string(out_.roles[0].device),
                       to_string(out_.roles[1].device), out_.one_device_steps_per_second,
                       to_string(out_.roles[1].device));
  }

  diagnose::Remedy one_device_remedy() const {
    const device::Device model = out_.roles[1].device;
    auto remedy =
        diagnose::set_to("data.data_gpu", model.is_cuda() ? std::to_string(model.index) : "cpu");
    remedy.gain = {out_.steps_per_second, out_.one_device_steps_per_second, "steps/s"};
    remedy.expected_gain =
        fmt::format("{:.2f} -> {:.2f} steps/s", remedy.gain->before, remedy.gain->after);
    return remedy;
  }

  diagnose::Verdict judge(const RehearsalFigures& two, const feed::FeedOptions& feed) const {
    const double step_s = (1 - out_.stall) * two.steps.times().mean;
    diagnose::Verdict verdict = diagnose::judge(situation_of(two, feed, setup_, step_s));
    verdict.evidence.push_back(compared());
    if (out_.shares_device) {
      verdict.evidence.emplace_back(
          "both roles share one device, so there is no second one to gain from");
    } else if (out_.gain < kNoGain) {
      verdict.remedies.push_back(one_device_remedy());
    }
    return verdict;
  }

  const TrainOptions& train_;
  const Library& library_;
  const device::Platform& platform_;
  const DualProfileOptions& options_;
  RunSetup setup_;
  DualProfile out_;
};

}  // namespace

std::string_view to_string(DualLevel level) {
  switch (level) {
    case DualLevel::not_measured:
      return "not measured";
    case DualLevel::below_minimum:
      return "below minimum";
    case DualLevel::minimum:
      return "minimum";
    case DualLevel::good:
      return "good";
    case DualLevel::excellent:
      return "excellent";
  }
  return "";
}

DualLevel level_of(double data_busy, double model_busy, double variation, double gain) {
  for (const LevelBounds& bounds : kLevels) {
    if (data_busy >= bounds.data_busy && model_busy >= bounds.model_busy &&
        variation <= bounds.variation && gain >= bounds.gain) {
      return bounds.level;
    }
  }
  return DualLevel::below_minimum;
}

DualProfile profile_dual(const TrainOptions& train, const Library& library,
                         const device::Platform& platform, const DualProfileOptions& options) {
  const TrainOptions own = without_runs(train);
  return Profiler(own, library, platform, options).profile();
}

}  // namespace seda::train
