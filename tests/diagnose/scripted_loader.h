// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "seda/base/clock.h"
#include "seda/device/platform.h"
#include "seda/feed/loader.h"

namespace seda::diagnose::testing_support {

/// Gives empty batches at once, as a script says. On the CPU.
class ScriptedLoader final : public feed::Loader {
 public:
  ScriptedLoader(const device::Platform& platform, size_t batches_per_epoch)
      : stream_(platform.default_stream(device::kCpu)),
        batches_per_epoch_(batches_per_epoch),
        ring_(std::vector<feed::Batch>(2), stream_, stream_, clock_) {}

  std::function<void(uint64_t batch)> before_batch = [](uint64_t) {};

  std::optional<feed::BatchLease> next(device::StreamView stream) override {
    if (state_.batch == batches_per_epoch_) {
      state_ = {state_.epoch + 1, 0};
      ++ends;
      return std::nullopt;
    }
    before_batch(given_.batches);
    auto filling = ring_.acquire(stream_);
    (*filling)->info.bucket = static_cast<uint32_t>(given_.batches % 3);
    (*filling)->info.clips.resize(16);
    filling->publish();
    ++state_.batch;
    ++given_.batches;
    given_.clips += 16;
    return ring_.next(stream);
  }

  feed::SamplerState state() const override { return state_; }
  size_t batches_per_epoch() const override { return batches_per_epoch_; }
  std::span<const feed::Bucket> buckets() const override { return {}; }
  feed::LoaderStatistics statistics() const override {
    feed::LoaderStatistics out = given_;
    out.seconds = time_.seconds();
    out.workers = workers;
    return out;
  }
  std::vector<Fault> faults() const override { return {}; }
  void set_workers(int number) override { workers = number; }
  void stop() override {}

  int ends = 0;  ///< Of epochs.
  int workers = 1;

 private:
  SteadyClock clock_;
  Stopwatch time_;
  device::StreamView stream_;
  size_t batches_per_epoch_;
  feed::BatchRing ring_;
  feed::SamplerState state_;
  feed::LoaderStatistics given_;
};

}  // namespace seda::diagnose::testing_support
