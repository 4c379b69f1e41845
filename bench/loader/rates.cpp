// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <iostream>

#include "bench/loader/rows.h"
#include "bench/support/process_time.h"
#include "bench/support/report_row.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/base/thread.h"
#include "seda/feed/stage_walk.h"

namespace seda::bench {
namespace {

constexpr int kFewestEpochs = 3;
constexpr int kMostEpochs = 25;
constexpr double kSeconds = 2;          // of measuring, at least
constexpr double kStarvedCores = 0.05;  // from which on a row is in doubt

/// What the first stage has read.
uint64_t bytes_read(const feed::LoaderStatistics& statistics) {
  return statistics.stages.empty() ? 0 : statistics.stages.front().work.bytes;
}

/// Epoch after epoch, as fast as it goes.
struct Rate {
  Distribution us_per_clip;
  double bytes_per_second = 0;
  double cpu_us_per_clip = 0;  ///< Of all threads.
  double starved_cores = 0;    ///< Cores that threads were ready for and others had.
};

Rate measure(const LoaderSetting& setting, Clips clips, const feed::FeedOptions& options) {
  const auto loader = setting.make_loader(clips, options);
  const device::Stream stream = setting.make_stream();
  drain(*loader, stream);
  Rate rate;
  const uint64_t before = bytes_read(loader->statistics());
  const ProcessTime time_before = process_time();
  size_t all_clips = 0;
  const Stopwatch all;
  for (int epoch = 0; epoch < kFewestEpochs || (epoch < kMostEpochs && all.seconds() < kSeconds);
       ++epoch) {
    const Stopwatch watch;
    const size_t count = drain(*loader, stream);
    all_clips += count;
    rate.us_per_clip.add(watch.seconds() * 1e6 / static_cast<double>(count));
  }
  const auto bytes = static_cast<double>(bytes_read(loader->statistics()) - before);
  const ProcessTime time = process_time();
  rate.bytes_per_second = bytes / all.seconds();
  rate.cpu_us_per_clip = (time.cpu - time_before.cpu) * 1e6 / static_cast<double>(all_clips);
  rate.starved_cores = (time.starved - time_before.starved) / all.seconds();
  return rate;
}

Json rate_row(const std::string& name, const Rate& rate) {
  Json row = make_row(name, "us/clip", rate.us_per_clip);
  row["items_per_second"] = 1e6 / rate.us_per_clip.quantile(0.5);
  row["cpu"] = rate.cpu_us_per_clip;
  row["starved_cores"] = rate.starved_cores;
  if (rate.starved_cores > kStarvedCores) {
    std::cerr << fmt::format(
        "{}: others held {:.2f} cores that it was ready for; measure on an "
        "idle machine\n",
        name, rate.starved_cores);
  }
  return row;
}

std::vector<int> worker_counts() {
  std::vector<int> out;
  for (const int workers : {1, 2, 4, 8, 16}) {
    if (workers <= std::max(2, usable_cores())) out.push_back(workers);
  }
  return out;
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// CPU time of what is counted for one clip: its worker begins and ends (WorkerPool), and so does
/// its reading (Gatherer), which adds the clip.
double counting_us_per_clip() {
  constexpr int kClips = 500'000;
  const SteadyClock clock;
  pipeline::StageRecorder pool(clock);
  feed::CountedStage stage("bench", clock);
  const double before = thread_seconds();
  for (int i = 0; i < kClips; ++i) {
    pool.enter(pipeline::Activity::busy);
    {
      feed::StageWalk walk(nullptr);
      walk.enter(stage);
      stage.recorder.add(1, 1000);
    }
    pool.enter(pipeline::Activity::blocked_in);
  }
  return (thread_seconds() - before) * 1e6 / kClips;
}

}  // namespace

std::vector<Json> files_rows(const LoaderSetting& setting) {
  feed::FeedOptions options = setting.options();
  options.num_buckets = 1;
  return {rate_row("loader/files", measure(setting, Clips::files, options))};
}

std::vector<Json> warm_rows(const LoaderSetting& setting) {
  std::vector<Json> rows;
  for (const Clips clips : {Clips::precompute, Clips::on_the_fly}) {
    for (const int workers : worker_counts()) {
      feed::FeedOptions options = setting.options();
      options.workers = workers;
      const Rate rate = measure(setting, clips, options);
      const std::string name = fmt::format("loader/warm/{}/workers:{}", to_string(clips), workers);
      rows.push_back(rate_row(name, rate));
      rows.push_back(make_row(name + "/read", "GB/s", rate.bytes_per_second * 1e-9));
    }
  }
  return rows;
}

std::vector<Json> resident_rows(const LoaderSetting& setting) {
  feed::FeedOptions options = setting.options();
  options.resident = true;
  return {rate_row("loader/resident", measure(setting, setting.usual(), options))};
}

std::vector<Json> counter_rows(const LoaderSetting& setting) {
  feed::FeedOptions options = setting.options();
  options.workers = 1;
  const Rate rate = measure(setting, setting.usual(), options);
  return {make_row("loader/counters", "% of a clip's CPU time",
                   100 * counting_us_per_clip() / rate.cpu_us_per_clip)};
}

}  // namespace seda::bench
