// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/consumer.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "seda/base/interrupt.h"
#include "seda/device/event_clock.h"
#include "seda/device/occupy.h"
#include "seda/diagnose/machine_watch.h"

namespace seda::diagnose {
namespace {

/// Steps whose events are kept: one begins, one runs, one ends, and the start of the one before.
constexpr size_t kKept = 4;
constexpr size_t kAhead = 2;

/// The timeline's row of a stream: its events as spans.
class StreamTrack {
 public:
  StreamTrack(TraceRecorder& trace, device::StreamView stream)
      : trace_(trace), track_(trace.add_track("consumer")), times_(stream) {}

  void span(const char* name, const device::Event& begin, const device::Event& end) {
    trace_.span(name, times_.time_ns(begin), times_.time_ns(end), track_);
  }

 private:
  TraceRecorder& trace_;
  TraceTrack track_;
  device::EventClock times_;
};

/// The steps of a consumer on its stream.
class Steps {
 public:
  Steps(feed::Loader& loader, device::StreamView stream, const ConsumerOptions& options)
      : loader_(loader), stream_(stream), step_s_(options.step_s) {
    for (size_t i = 0; i < kKept; ++i) {
      kept_.push_back({device::Event(stream, device::EventTiming::on),
                       device::Event(stream, device::EventTiming::on), 0});
    }
    if (options.trace != nullptr) track_.emplace(*options.trace, stream);
  }

  /// Takes a batch and enqueues the work on it.
  void run() {
    throw_if_interrupted();
    Step& step = kept_[begun_ % kKept];
    step.asked.record(stream_);
    feed::BatchLease lease = take();
    step.began.record(stream_);
    step.bucket = lease->info.bucket;
    device::occupy(stream_, step_s_);
    lease.release();
    ++begun_;
    while (timed_ + kAhead < begun_)
      time_next();
  }

  /// Waits for the start of all that were begun.
  void drain() {
    while (timed_ < begun_)
      time_next();
  }

  void forget_times() {
    batches.clear();
    waits_s.clear();
  }

  std::vector<BatchTime> batches;
  std::vector<double> waits_s;

 private:
  struct Step {
    device::Event asked;  ///< The stream is done with the step before.
    device::Event began;  ///< The batch is there.
    uint32_t bucket = 0;
  };

  feed::BatchLease take() {
    for (;;) {  // the end of an epoch gives none, once
      if (auto lease = loader_.next(stream_)) return *std::move(lease);
    }
  }

  void time_next() {
    const Step& step = kept_[timed_ % kKept];
    step.began.synchronize();
    waits_s.push_back(1e-3 * device::elapsed_ms(step.asked, step.began));
    if (timed_ > 0) time_since(kept_[(timed_ - 1) % kKept], step);
    ++timed_;
  }

  void time_since(const Step& before, const Step& step) {
    batches.push_back({1e-3 * device::elapsed_ms(before.began, step.began), step.bucket});
    if (!track_) return;
    track_->span("step", before.began, step.asked);
    track_->span("wait", step.asked, step.began);
  }

  feed::Loader& loader_;
  device::StreamView stream_;
  double step_s_;
  std::vector<Step> kept_;
  size_t begun_ = 0;
  size_t timed_ = 0;
  std::optional<StreamTrack> track_;
};

}  // namespace

double Consumption::clips_per_second() const {
  return seconds > 0 ? static_cast<double>(loader.clips) / seconds : 0;
}

double Consumption::stall() const {
  const double waited = std::accumulate(waits_s.begin(), waits_s.end(), 0.0);
  return seconds > 0 ? std::min(1.0, waited / seconds) : 0;
}

std::vector<double> Consumption::batch_seconds() const {
  std::vector<double> out;
  out.reserve(batches.size());
  for (const BatchTime& batch : batches)
    out.push_back(batch.seconds);
  return out;
}

Consumption consume(feed::Loader& loader, const device::Platform& platform, device::Device model,
                    const ConsumerOptions& options) {
  const device::Stream stream(platform, model, device::StreamPriority::high);  // as a trainer would
  Steps steps(loader, stream, options);
  for (size_t i = 0; i < options.warm_up; ++i)
    steps.run();
  steps.drain();
  steps.forget_times();
  MachineWatch watch;
  const feed::LoaderStatistics before = loader.statistics();
  const Stopwatch time;
  for (size_t i = 0; i < options.batches && (i == 0 || time.seconds() < options.most_s); ++i) {
    steps.run();
    if (options.after_batch) options.after_batch();
  }
  steps.drain();
  Consumption out;
  out.seconds = time.seconds();
  out.loader = loader.statistics().since(before);
  out.machine = watch.use();
  out.batches = std::move(steps.batches);
  out.waits_s = std::move(steps.waits_s);
  return out;
}

}  // namespace seda::diagnose
