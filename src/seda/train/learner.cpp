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

void Learner::learn(uint64_t update, double lr) {
  for (int part = 0; part < accumulation_; ++part) {
    times_.ask();
    feed::BatchLease lease = next();
    const feed::Batch& batch = *lease;
    times_.begin(batch.info.bucket);
    begun_.push_back({{batch.shape.batch, batch.info.real_frames,
                       int64_t{batch.shape.batch} * batch.shape.frames},
                      std::exchange(timed_, true)});
    steps_.push_back({update,
                      part,
                      lr,
                      batch.info.epoch,
                      batch.info.batch,
                      batch.info.bucket,
                      batch.info.clips,
                      {}});
    engine_.step(batch, {.update = update, .part = part, .lr = lr});
    lease.release();
  }
  position_ = loader_.state();
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

void Learner::read_times(size_t pending) {
  times_.read(pending);
  size_t next_time = 0;
  for (const double wait_s : times_.waits_s()) {
    const Begun begun = begun_.front();
    begun_.pop_front();
    if (!begun.timed) continue;
    const diagnose::BatchTime& time = times_.batches().at(next_time++);
    whole_.add(time, wait_s, begun.size);
    stretch_.add(time, wait_s, begun.size);
  }
  times_.forget();
}

void Learner::pause() {
  read_times(0);
  times_.pause();
  timed_ = false;
}

FigureCounter Learner::take_stretch() {
  return std::exchange(stretch_, {});
}

}  // namespace seda::train
