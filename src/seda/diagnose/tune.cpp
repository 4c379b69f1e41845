// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/tune.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "seda/config/schema.h"

namespace seda::diagnose {
namespace {

constexpr double kIdleShare = 0.5;  // of the cores: workers wait for something else
constexpr double kGain = 1.05;      // what makes twice the workers worth a look

/// Batches that lie ready: on the host, and in slots.
struct Depth {
  int prefetch;
  int slots;
};
constexpr Depth kDepths[] = {{2, 2}, {2, 3}, {4, 3}, {8, 4}, {16, 6}};

/// One search.
class Search {
 public:
  Search(const TuneOptions& options, const RunTrial& run, const Clock& clock)
      : options_(options),
        all_(std::min(options.cores, config::kMostWorkers)),
        run_(run),
        clock_(clock),
        begin_ns_(clock.now_ns()) {}

  TuneReport find() {
    TrialSettings settings = options_.current;
    settings.workers = choose_workers(settings);
    settings = choose_depth(settings);
    settings = choose_batch(settings);
    if (options_.grid) try_everything();
    return report(settings);
  }

 private:
  double seconds() const { return static_cast<double>(clock_.now_ns() - begin_ns_) * 1e-9; }
  bool time_is_up() const { return seconds() > options_.most_s; }

  /// As many as there are cores is what the loader chooses: one setting, whatever it is called.
  int named(int workers) const {
    const int now = options_.current.workers;
    return now <= 0 && workers == all_ ? now : workers;
  }
  int number_of(const TrialSettings& settings) const {
    return settings.workers > 0 ? settings.workers : all_;
  }

  Trial& trial_of(const TrialSettings& settings) {
    const auto known = std::ranges::find(trials_, settings, &Trial::settings);
    return known != trials_.end() ? *known : trials_.emplace_back(Trial{settings, {}});
  }

  /// Measures those not known yet, interleaved, and returns all of them.
  std::vector<Trial> trials_of(const std::vector<TrialSettings>& wanted) {
    std::vector<Trial> fresh;
    for (const TrialSettings& settings : wanted) {
      if (trial_of(settings).runs.empty() &&
          std::ranges::find(fresh, settings, &Trial::settings) == fresh.end())
        fresh.push_back({settings, {}});
    }
    for (int round = 0; round < options_.repeats; ++round) {
      if (round > 0 && time_is_up()) break;
      run_interleaved(fresh, 1, run_);
    }
    for (Trial& trial : fresh)
      trial_of(trial.settings).runs = std::move(trial.runs);
    std::vector<Trial> out;
    out.reserve(wanted.size());
    for (const TrialSettings& settings : wanted)
      out.push_back(trial_of(settings));
    return out;
  }

  std::vector<Trial> with_workers(TrialSettings settings, const std::vector<int>& workers) {
    std::vector<TrialSettings> wanted;
    for (const int number : workers) {
      settings.workers = named(number);
      wanted.push_back(settings);
    }
    return trials_of(wanted);
  }

  int choose_workers(const TrialSettings& settings) {
    std::vector<Trial> seen = with_workers(settings, {number_of(settings), 1, all_});
    const double rate_of_one = seen[1].clips_per_second();
    const double rate_of_all = seen.back().clips_per_second();
    grow_beyond_cores(settings, seen);
    const auto near = workers_near_knee(rate_of_one, rate_of_all, all_);
    for (const Trial& trial : with_workers(settings, near))
      seen.push_back(trial);
    return cheapest_good(seen, options_.step_s)->settings.workers;
  }

  /// Where cores are left idle, workers wait for something else: more of them wait side by side.
  void grow_beyond_cores(const TrialSettings& settings, std::vector<Trial>& seen) {
    while (!time_is_up()) {
      const Trial last = seen.back();
      const int more = 2 * number_of(last.settings);
      if (last.idle_cores() < kIdleShare * options_.cores || more > config::kMostWorkers) return;
      if (options_.step_s > 0 && last.stall() <= kNoStall) return;
      seen.push_back(with_workers(settings, {more}).front());
      if (seen.back().clips_per_second() < kGain * last.clips_per_second()) return;
    }
  }

  TrialSettings choose_depth(const TrialSettings& settings) {
    std::vector<TrialSettings> wanted = {settings};
    for (const Depth& depth : kDepths) {
      wanted.push_back(settings);
      wanted.back().prefetch = depth.prefetch;
      wanted.back().slots = depth.slots;
    }
    if (time_is_up()) return settings;
    return choose(wanted, settings);
  }

  TrialSettings choose_batch(const TrialSettings& settings) {
    std::vector<TrialSettings> wanted = {settings};
    for (const int batch : options_.batch_sizes) {
      wanted.push_back(settings);
      wanted.back().batch_size = batch;
    }
    if (wanted.size() == 1 || time_is_up()) return settings;
    return choose(wanted, settings);
  }

  TrialSettings choose(const std::vector<TrialSettings>& wanted, const TrialSettings& otherwise) {
    const std::vector<Trial> seen = trials_of(wanted);
    const Trial* best = cheapest_good(seen, options_.step_s);
    return best == nullptr ? otherwise : best->settings;
  }

  /// Every number of workers, doubling from one, with every depth; a run each.
  void try_everything() {
    std::vector<Trial> grid;
    const int most = std::clamp(2 * all_, 4, config::kMostWorkers);
    for (int workers = 1; workers <= most; workers *= 2) {
      for (const Depth& depth : kDepths) {
        grid.push_back({{.workers = named(workers),
                         .batch_size = options_.current.batch_size,
                         .prefetch = depth.prefetch,
                         .slots = depth.slots,
                         .batch_frames = options_.current.batch_frames},
                        {}});
      }
    }
    for (int round = 0; round < options_.repeats && (round == 0 || !time_is_up()); ++round)
      run_interleaved(grid, 1, run_);
    for (Trial& trial : grid) {
      auto& runs = trial_of(trial.settings).runs;
      runs.insert(runs.end(), trial.runs.begin(), trial.runs.end());
    }
  }

  TuneReport report(const TrialSettings& settings) {
    TuneReport out;
    out.chosen = trial_of(settings);
    const double best = fastest(trials_)->clips_per_second();
    out.best_share = best > 0 ? out.chosen.clips_per_second() / best : 1;
    out.trials = std::move(trials_);
    out.seconds = seconds();
    return out;
  }

  const TuneOptions& options_;
  int all_;  // workers: one each core
  const RunTrial& run_;
  const Clock& clock_;
  int64_t begin_ns_;
  std::vector<Trial> trials_;
};

}  // namespace

std::vector<int> workers_near_knee(double rate_of_one, double rate_of_all, int cores) {
  if (rate_of_one <= 0) return {cores};
  const int knee = static_cast<int>(std::ceil(rate_of_all / rate_of_one));
  std::set<int> out;
  for (const int workers : {knee - 1, knee, knee + 1, (knee + cores) / 2})
    out.insert(std::clamp(workers, 1, cores));
  return {out.begin(), out.end()};
}

TuneReport tune(const TuneOptions& options, const RunTrial& run, const Clock& clock) {
  return Search(options, run, clock).find();
}

}  // namespace seda::diagnose
