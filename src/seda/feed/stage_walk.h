// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/base/trace.h"
#include "seda/pipeline/stage_statistics.h"

namespace seda::feed {

/// A stage that threads are in for a part of their work.
struct CountedStage {
  CountedStage(const char* called, const Clock& clock) : name(called), recorder(clock) {}

  const char* name;
  pipeline::StageRecorder recorder;
};

/// The calling thread's way through stages: busy in one at a time, in none at its end. Each visit
/// is also a span of the trace, where there is one.
class StageWalk {
 public:
  explicit StageWalk(TraceRecorder* trace)
      : trace_(trace != nullptr && trace->enabled() ? trace : nullptr) {}
  ~StageWalk() { leave(); }
  StageWalk(const StageWalk&) = delete;
  StageWalk& operator=(const StageWalk&) = delete;

  void enter(CountedStage& stage) {
    leave();
    stage_ = &stage;
    stage.recorder.enter(pipeline::Activity::busy);
    if (trace_ != nullptr) since_ns_ = now_ns();
  }

 private:
  void leave() {
    if (stage_ == nullptr) return;
    stage_->recorder.enter(pipeline::Activity::away);
    if (trace_ != nullptr) trace_->span(stage_->name, since_ns_, now_ns());
    stage_ = nullptr;
  }

  TraceRecorder* trace_;
  CountedStage* stage_ = nullptr;
  int64_t since_ns_ = 0;
};

}  // namespace seda::feed
