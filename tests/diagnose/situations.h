// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/diagnose/situation.h"

namespace seda::diagnose::testing_support {

/// A loader of two workers on eight cores that keeps up with a step of 20 ms: 100 batches of 16
/// clips in two seconds.
inline Situation steady_situation() {
  Situation situation;
  situation.step_s = 0.02;
  situation.batches.assign(100, {.seconds = 0.02, .clips = 16});
  situation.loader.seconds = 2;
  situation.loader.batches = 100;
  situation.loader.clips = 1600;
  situation.loader.workers = 2;
  situation.loader.real_frames = 950;
  situation.loader.frames = 1000;
  situation.loader.stages = {
      {.name = "read", .work = {.count = 1600, .bytes = 64'000'000, .busy_s = 0.2}},
      {.name = "decode", .work = {.count = 1600, .busy_s = 0.05}},
      {.name = "mel", .work = {.count = 1600, .busy_s = 0.35, .blocked_out_s = 3.4}},
  };
  situation.machine = {.usable_cores = 8,
                       .process_cores = 0.3,
                       .other_cores = 0.1,
                       .idle_cores = 7.6,
                       .storage_bytes = 0,
                       .free_bytes = 8'000'000'000,
                       .total_bytes = 16'000'000'000};
  situation.settings.cache_bytes = 500'000'000;
  return situation;
}

inline feed::LoaderStage& stage(Situation& situation, const std::string& name) {
  for (feed::LoaderStage& one : situation.loader.stages) {
    if (one.name == name) return one;
  }
  situation.loader.stages.emplace_back().name = name;
  return situation.loader.stages.back();
}

/// The workers' time in seconds, of the 4 they have.
inline void set_work(Situation& situation, double read_s, double decode_s, double mel_s) {
  stage(situation, "read").work.busy_s = read_s;
  stage(situation, "decode").work.busy_s = decode_s;
  stage(situation, "mel").work.busy_s = mel_s;
  stage(situation, "mel").work.blocked_out_s = 4 - read_s - decode_s - mel_s;
}

/// A loader that keeps the step waiting.
inline void starve(Situation& situation) {
  situation.stall = 0.4;
}

/// No step beside the loader.
inline void unpace(Situation& situation) {
  situation.step_s = 0;
  situation.stall = 1;
}

/// As if the same batches had taken so much longer.
inline void slow_down(Situation& situation, double factor) {
  situation.loader.seconds *= factor;
  for (BatchTime& batch : situation.batches)
    batch.seconds *= factor;
}

/// A step of 16 clips as a CUDA graph, at which nothing is wrong.
inline StepProfile step_profile() {
  StepProfile step;
  step.model = device::cuda(0);
  step.path = "CUDA graphs";
  step.batch_size = 16;
  step.clips = 16;
  step.frames = 6400;
  step.ceiling_s = 0.02;
  step.ceiling_frames = 6400;
  step.graph_s = 0.02;
  step.fused_s = 0.022;
  step.host_s = 0.01;
  step.gpu_idle_share = 0.01;
  return step;
}

}  // namespace seda::diagnose::testing_support
