// SPDX-License-Identifier: Apache-2.0
#include "seda/train/learner.h"

#include <utility>

#include "seda/base/error.h"

namespace seda::train {

Learner::Learner(feed::Loader& loader, Engine& engine, device::StreamView stream, int accumulation,
                 TraceRecorder* trace)
    : loader_(loader),
      engine_(engine),
      stream_(stream),
      accumulation_(accumulation),
      times_(stream, trace, "model"),
      position_(loader.state()) {}

feed::BatchLease Learner::next() {
  for (;;) {  // the end of an epoch gives none, once
    if (auto lease = loader_.next(stream_)) return *std::move(lease);
  }
}

bool Learner::learn(uint64_t update, double lr) {
  bool met_new = false;
  feed::SamplerState begin;
  for (int part = 0; part < accumulation_; ++part) {
    times_.ask();
    feed::BatchLease lease = next();
    const feed::Batch& batch = *lease;
    times_.begin(batch.info.bucket, batch.info.clips.size());
    if (part == 0) begin = {.epoch = batch.info.epoch, .batch = batch.info.batch};
    const bool is_new = shapes_.insert({batch.info.bucket, part}).second;
    met_new = met_new || is_new;
    begun_.push_back({.frames = {.real = batch.info.real_frames,
                                 .all = int64_t{batch.shape.batch} * batch.shape.frames},
                      .bucket = batch.info.bucket,
                      .clips = static_cast<size_t>(batch.shape.batch),
                      .follows = std::exchange(follows_, true),
                      .counts = !is_new});
    steps_.push_back({update,
                      part,
                      lr,
                      batch.info.epoch,
                      batch.info.batch,
                      batch.info.bucket,
                      batch.info.clips,
                      begin,
                      {}});
    engine_.step(batch, {.update = update, .part = part, .lr = lr});
    lease.release();
  }
  position_ = loader_.state();
  return met_new;
}

std::vector<LearnedStep> Learner::collect(size_t pending) {
  std::vector<LearnedStep> out;
  for (const StepLosses& losses : engine_.collect(pending)) {
    if (steps_.empty()) throw_error(ErrorKind::internal, "the engine gave losses of no step");
    out.push_back(std::move(steps_.front()));
    out.back().losses = losses;
    steps_.pop_front();
  }
  read_times(pending);
  return out;
}

/// The time from one start to the next is that of the step between, and of the wait after it.
void Learner::read_times(size_t pending) {
  times_.read(pending);
  size_t next_time = 0;
  for (const double wait_s : times_.waits_s()) {
    const Begun before = std::exchange(last_, begun_.front());
    begun_.pop_front();
    if (!last_.follows) continue;
    const double seconds = times_.batches().at(next_time++).seconds;
    if (!before.counts) continue;
    const diagnose::BatchTime time{seconds, before.bucket, before.clips};
    whole_.add(time, wait_s, before.frames);
    stretch_.add(time, wait_s, before.frames);
  }
  times_.forget();
}

void Learner::pause() {
  read_times(0);
  times_.pause();
  follows_ = false;
}

FigureCounter Learner::take_stretch() {
  return std::exchange(stretch_, {});
}

}  // namespace seda::train
