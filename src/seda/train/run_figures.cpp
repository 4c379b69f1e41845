// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_figures.h"

#include <algorithm>

namespace seda::train {
namespace {

constexpr size_t kLast = 4096;

}  // namespace

void FigureCounter::add(const diagnose::BatchTime& time, double wait_s, const Frames& frames) {
  if (last_.size() < kLast) {
    last_.push_back(time);
    last_waits_.push_back(wait_s);
  } else {
    last_[batches_ % kLast] = time;
    last_waits_[batches_ % kLast] = wait_s;
  }
  seconds_ += time.seconds;
  wait_s_ += wait_s;
  ++batches_;
  clips_ += time.clips;
  real_frames_ += frames.real;
  frames_ += frames.all;
  BucketTime& bucket = buckets_[time.bucket];
  ++bucket.batches;
  bucket.seconds += (time.seconds - bucket.seconds) / static_cast<double>(bucket.batches);
}

RunFigures FigureCounter::figures() const {
  RunFigures out;
  out.seconds = seconds_;
  out.batches = batches_;
  if (seconds_ <= 0) return out;
  out.batches_per_second = static_cast<double>(batches_) / seconds_;
  out.clips_per_second = static_cast<double>(clips_) / seconds_;
  out.frames_per_second = static_cast<double>(real_frames_) / seconds_;
  out.stall = std::min(1.0, wait_s_ / seconds_);
  out.padding = 1 - static_cast<double>(real_frames_) / static_cast<double>(frames_);
  return out;
}

std::vector<diagnose::BatchTime> FigureCounter::last() const {
  std::vector<diagnose::BatchTime> ordered = last_;
  if (batches_ > kLast) {
    std::ranges::rotate(ordered, ordered.begin() + static_cast<ptrdiff_t>(batches_ % kLast));
  }
  return ordered;
}

diagnose::BatchTimes FigureCounter::times() const {
  return diagnose::summarize(last());
}

}  // namespace seda::train
