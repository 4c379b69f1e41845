// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/step_times.h"

#include <utility>

#include "seda/base/error.h"

namespace seda::diagnose {

StepTimes::StepTimes(device::StreamView stream, TraceRecorder* trace, const char* name)
    : stream_(stream) {
  if (trace == nullptr) return;
  timeline_.emplace(Timeline{*trace, trace->add_track(name), device::EventClock(stream)});
}

StepTimes::Step StepTimes::take_spare() {
  if (spare_.empty()) {
    return {.asked = device::Event(stream_, device::EventTiming::on),
            .began = device::Event(stream_, device::EventTiming::on)};
  }
  Step step = std::move(spare_.back());
  spare_.pop_back();
  return step;
}

void StepTimes::ask() {
  if (!asked_) asked_ = take_spare();
  asked_->asked.record(stream_);
}

void StepTimes::begin(uint32_t bucket, size_t clips) {
  if (!asked_) throw_error(ErrorKind::internal, "a step began before its batch was asked for");
  asked_->began.record(stream_);
  asked_->bucket = bucket;
  asked_->clips = clips;
  pending_.push_back(*std::move(asked_));
  asked_.reset();
}

void StepTimes::read(size_t pending) {
  while (!pending_.empty()) {
    if (pending_.size() <= pending && !pending_.front().began.done()) return;
    read_front();
  }
}

void StepTimes::read_front() {
  Step step = std::move(pending_.front());
  pending_.pop_front();
  step.began.synchronize();
  waits_s_.push_back(1e-3 * device::elapsed_ms(step.asked, step.began));
  if (last_) {
    batches_.push_back({.seconds = 1e-3 * device::elapsed_ms(last_->began, step.began),
                        .bucket = step.bucket,
                        .clips = step.clips});
    if (timeline_) {
      timeline_->span("step", last_->began, step.asked);
      timeline_->span("wait", step.asked, step.began);
    }
    spare_.push_back(*std::move(last_));
  }
  last_ = std::move(step);
}

void StepTimes::pause() {
  read(0);
  if (last_) spare_.push_back(*std::move(last_));
  last_.reset();
}

void StepTimes::forget() {
  batches_.clear();
  waits_s_.clear();
}

}  // namespace seda::diagnose
