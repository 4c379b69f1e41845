// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "bench/loader/rows.h"
#include "bench/support/process_time.h"
#include "bench/support/report_row.h"
#include "bench/support/resident.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/stats.h"
#include "seda/base/thread.h"
#include "seda/device/occupy.h"

namespace seda::bench {
namespace {

constexpr size_t kFirstSteps = 10;  // not counted
constexpr double kPacedSeconds = 4;

/// Without a core that spins, which would count as the loader's.
void wait_for(const device::Event& event) {
  while (!event.done())
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

/// The next batch, of whichever epoch.
feed::BatchLease next_batch(feed::Loader& loader, device::StreamView stream) {
  for (int epoch = 0; epoch < 2; ++epoch) {
    if (auto batch = loader.next(stream)) return *std::move(batch);
  }
  throw_error(ErrorKind::internal, "the loader gave an epoch without a batch");
}

/// What a consumer saw.
struct Pace {
  Statistics step_ms;    ///< From the end of a step to the end of the next.
  double cpu_share = 0;  ///< Of all cores.
};

Statistics between(const std::vector<device::Event>& ends) {
  Statistics out;
  for (size_t i = kFirstSteps; i + 1 < ends.size(); ++i)
    out.add(device::elapsed_ms(ends[i], ends[i + 1]));
  return out;
}

/// Steps of a consumer that enqueues at most two ahead, as a trainer does. Without a loader: what
/// the steps take by themselves.
Pace run_paced(const LoaderSetting& setting, feed::Loader* loader, double step_s) {
  const device::Stream stream = setting.make_stream();
  std::vector<device::Event> ends;
  const auto steps = static_cast<size_t>(kPacedSeconds / step_s) + kFirstSteps;
  ends.reserve(steps);
  for (size_t i = 0; i < steps; ++i)
    ends.emplace_back(stream, device::EventTiming::on);
  const Stopwatch watch;
  const double before = process_time().cpu;
  for (size_t i = 0; i < steps; ++i) {
    if (i >= 2) wait_for(ends[i - 2]);
    std::optional<feed::BatchLease> batch;
    if (loader != nullptr) batch.emplace(next_batch(*loader, stream));
    device::occupy(stream, step_s);
    ends[i].record(stream);
  }
  wait_for(ends.back());
  Pace pace;
  pace.cpu_share = (process_time().cpu - before) / (watch.seconds() * usable_cores());
  pace.step_ms = between(ends);
  return pace;
}

/// Until each slot has held the largest shape: before that, memory is touched for the first time.
void fill_slots(feed::Loader& loader, device::StreamView stream) {
  constexpr size_t kBatches = 1000;
  for (size_t i = 0; i < 2 + kBatches / loader.batches_per_epoch(); ++i)
    drain(loader, stream);
}

}  // namespace

std::vector<Json> paced_rows(const LoaderSetting& setting) {
  std::vector<Json> rows;
  for (const int step_ms : {5, 10, 40}) {
    const auto loader = setting.make_loader(setting.usual(), setting.options());
    const Pace alone = run_paced(setting, nullptr, step_ms * 1e-3);
    const Pace fed = run_paced(setting, loader.get(), step_ms * 1e-3);
    const double stall = std::max(0.0, 1 - alone.step_ms.mean() / fed.step_ms.mean());
    const auto name = [&](const char* what) {
      return fmt::format("loader/paced/step_ms:{}/{}", step_ms, what);
    };
    rows.push_back(make_row(name("stall"), "% of the time", 100 * stall));
    rows.push_back(make_row(name("variation"), "% of the mean", 100 * fed.step_ms.variation()));
    rows.push_back(
        make_row(name("variation_alone"), "% of the mean", 100 * alone.step_ms.variation()));
    rows.push_back(make_row(name("cpu"), "% of all cores", 100 * fed.cpu_share));
  }
  return rows;
}

std::vector<Json> next_rows(const LoaderSetting& setting) {
  constexpr int kCalls = 600;
  const auto loader = setting.make_loader(setting.usual(), setting.options());
  const device::Stream stream = setting.make_stream();
  device::Event end(stream);
  Distribution us;
  for (int i = 0; i < kCalls; ++i) {
    const Stopwatch watch;
    auto batch = loader->next(stream);
    const double taken = watch.seconds() * 1e6;
    if (batch && i >= static_cast<int>(kFirstSteps)) us.add(taken);
    device::occupy(stream, 5e-3);
    end.record(stream);
    batch.reset();
    wait_for(end);
  }
  Json row = make_row("loader/next", "us", us);
  row["p99"] = us.quantile(0.99);
  return {row};
}

std::vector<Json> start_rows(const LoaderSetting& setting) {
  setting.open(setting.usual());
  Distribution seconds;
  for (int i = 0; i < 7; ++i) {
    const device::Stream stream = setting.make_stream();
    const Stopwatch watch;
    const auto loader = setting.make_loader(setting.usual(), setting.options());
    const auto batch = loader->next(stream);
    stream.synchronize();
    seconds.add(watch.seconds());
  }
  return {make_row("loader/start", "s", seconds)};
}

std::vector<Json> growth_rows(const LoaderSetting& setting) {
  const auto loader = setting.make_loader(setting.usual(), setting.options());
  const device::Stream stream = setting.make_stream();
  fill_slots(*loader, stream);
  const double before = resident_mb();
  for (int i = 0; i < 50; ++i)
    drain(*loader, stream);
  return {make_row("loader/growth/epochs:50", "MB", resident_mb() - before)};
}

double memory_with_workers(const LoaderSetting& setting, int workers) {
  feed::FeedOptions options = setting.options();
  options.workers = workers;
  const auto loader = setting.make_loader(setting.usual(), options);
  const device::Stream stream = setting.make_stream();
  fill_slots(*loader, stream);
  return resident_mb();
}

}  // namespace seda::bench
