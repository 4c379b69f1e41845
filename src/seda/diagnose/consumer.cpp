// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/consumer.h"

#include <algorithm>
#include <numeric>

#include "seda/base/interrupt.h"
#include "seda/device/occupy.h"
#include "seda/diagnose/machine_watch.h"
#include "seda/diagnose/step_times.h"

namespace seda::diagnose {
namespace {

constexpr size_t kAhead = 2;  // steps the host may be ahead

/// The steps of a consumer on its stream.
class Steps {
 public:
  Steps(feed::Loader& loader, device::StreamView stream, const ConsumerOptions& options)
      : loader_(loader),
        stream_(stream),
        step_s_(options.step_s),
        times_(stream, options.trace, "consumer") {}

  /// Takes a batch and enqueues the work on it.
  void run() {
    throw_if_interrupted();
    times_.ask();
    feed::BatchLease lease = take();
    times_.begin(lease->info.bucket, lease->info.clips.size());
    device::occupy(stream_, step_s_);
    lease.release();
    times_.read(kAhead);
  }

  StepTimes& times() { return times_; }

 private:
  feed::BatchLease take() {
    for (;;) {  // the end of an epoch gives none, once
      if (auto lease = loader_.next(stream_)) return *std::move(lease);
    }
  }

  feed::Loader& loader_;
  device::StreamView stream_;
  double step_s_;
  StepTimes times_;
};

}  // namespace

double Consumption::clips_per_second() const {
  return seconds > 0 ? static_cast<double>(loader.clips) / seconds : 0;
}

double Consumption::clips_per_batch() const {
  return loader.batches > 0
             ? static_cast<double>(loader.clips) / static_cast<double>(loader.batches)
             : 0;
}

double Consumption::stall() const {
  const double waited = std::accumulate(waits_s.begin(), waits_s.end(), 0.0);
  return seconds > 0 ? std::min(1.0, waited / seconds) : 0;
}

double Consumption::mean_wait_s() const {
  const double waited = std::accumulate(waits_s.begin(), waits_s.end(), 0.0);
  return waits_s.empty() ? 0 : waited / static_cast<double>(waits_s.size());
}

double Consumption::mean_batch_s() const {
  return loader.batches > 0 ? seconds / static_cast<double>(loader.batches) : 0;
}

Consumption consume(feed::Loader& loader, const device::Platform& platform, device::Device model,
                    const ConsumerOptions& options) {
  const device::Stream stream(platform, model, device::StreamPriority::high);  // as a trainer would
  Steps steps(loader, stream, options);
  const Stopwatch warm_up;
  for (size_t i = 0; i < options.warm_up && warm_up.seconds() < options.most_warm_up_s; ++i)
    steps.run();
  steps.times().read(0);
  steps.times().forget();
  MachineWatch watch;
  const feed::LoaderStatistics before = loader.statistics();
  const Stopwatch time;
  for (size_t i = 0; i < options.batches && (i == 0 || time.seconds() < options.most_s); ++i) {
    steps.run();
    if (options.after_batch) options.after_batch();
  }
  steps.times().read(0);
  Consumption out;
  out.seconds = time.seconds();
  out.loader = loader.statistics().since(before);
  out.machine = watch.use();
  out.batches = steps.times().batches();
  out.waits_s = steps.times().waits_s();
  return out;
}

}  // namespace seda::diagnose
