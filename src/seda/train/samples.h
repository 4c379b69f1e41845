// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "seda/audio/mel_options.h"
#include "seda/feed/clip_source.h"
#include "seda/train/engine.h"
#include "seda/train/event_file.h"

namespace seda::train {

/// A validation clip and what the model makes of it.
struct Sample {
  std::string id;
  AlignedClip alignment;
  model::SpokenMel spoken;
};

/// What the model makes of the first two clips of a batch of `source`; bad ones are passed over.
/// Waits.
std::vector<Sample> make_samples(Engine& engine, const feed::ClipSource& source,
                                 const feed::Batch& batch);

/// Shows in TensorBoard, and keeps as files, how a model speaks now.
///
/// One thread calls it. Sounds (Griffin-Lim) and pictures are made on a thread of their own while
/// training goes on.
class SampleWriter {
 public:
  /// Sounds and pictures go to `<run>/samples`: `step-00001000-<id>.wav`, `…-mel.png` and
  /// `…-alignment.png`.
  SampleWriter(std::filesystem::path run_folder, const audio::MelOptions& mel);
  ~SampleWriter();
  SampleWriter(const SampleWriter&) = delete;
  SampleWriter& operator=(const SampleWriter&) = delete;

  /// Begins to make those of `step`; waits for those before.
  void start(uint64_t step, std::vector<Sample> samples, EventFile& events);

  /// Adds what has been made to `events`; with `wait` also what is being made. What could not be
  /// made or kept is a warning.
  void collect(EventFile& events, bool wait);

 private:
  struct Made {
    std::string id;
    std::string alignment_png;
    int alignment_width = 0;
    int alignment_height = 0;
    std::string mel_png;
    int mel_width = 0;
    int mel_height = 0;
    std::string wav;
    int64_t samples = 0;
  };
  struct Batch {
    uint64_t step = 0;
    std::vector<Made> made;
  };

  void show(const Batch& batch, EventFile& events) const;
  Batch make(uint64_t step, const std::vector<Sample>& samples) const;
  Made make(uint64_t step, const Sample& sample) const;

  std::filesystem::path run_folder_;
  audio::MelOptions mel_;
  std::future<Batch> making_;
};

}  // namespace seda::train
