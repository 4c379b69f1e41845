// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "seda/diagnose/step_times.h"
#include "seda/feed/loader.h"
#include "seda/train/engine.h"
#include "seda/train/run_figures.h"
#include "seda/train/run_log.h"
#include "seda/train/schedule.h"

namespace seda::train {

/// One batch that was learned from.
struct LearnedStep {
  uint64_t update = 0;  ///< It belongs to, from 0.
  int part = 0;
  double lr = 0;
  uint64_t epoch = 0;
  uint64_t batch = 0;  ///< Of the epoch.
  uint32_t bucket = 0;
  std::vector<uint32_t> clips;      ///< Rows of the source.
  feed::SamplerState update_begin;  ///< The first batch of its update.
  StepLosses losses;                ///< Once collected.
};

/// Takes batches from a loader and has an engine learn from them, without waiting for either's
/// device; what steps left is collected later.
class Learner {
 public:
  Learner(feed::Loader& loader, Engine& engine, device::StreamView stream, int accumulation,
          TraceRecorder* trace);

  /// One update of the weights. Throws what the loader and the engine throw. Whether a batch had a
  /// shape that no step had before: such steps take longer, and count for no figure.
  bool learn(uint64_t update, double lr);

  /// Steps that are done, but for the newest `pending`, with their losses; their times are added to
  /// `stretch` and to `whole`.
  std::vector<LearnedStep> collect(size_t pending);

  /// Something else happens to the stream now: the time until the next step is not a step's.
  void pause();

  /// Of the batch that comes after the last whole update.
  feed::SamplerState position() const noexcept { return position_; }

  FigureCounter& whole() noexcept { return whole_; }
  /// What was collected since the last call.
  FigureCounter take_stretch();

 private:
  struct Begun {
    FigureCounter::Frames frames;
    uint32_t bucket = 0;
    size_t clips = 0;
    bool follows = false;  // a step stands right before it
    bool counts = true;    // off: the first of its shape
  };

  feed::BatchLease next();
  void read_times(size_t pending);

  feed::Loader& loader_;
  Engine& engine_;
  device::StreamView stream_;
  int accumulation_;
  diagnose::StepTimes times_;
  std::set<std::pair<uint32_t, int>> shapes_;  // bucket and part of every step so far
  bool follows_ = false;
  std::deque<Begun> begun_;
  Begun last_;  // read, the one before the front
  std::deque<LearnedStep> steps_;
  feed::SamplerState position_;
  FigureCounter whole_;
  FigureCounter stretch_;
};

}  // namespace seda::train
