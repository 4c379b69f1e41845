// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "seda/audio/mel_cpu.h"
#include "seda/audio/sound_reader.h"
#include "seda/base/clock.h"
#include "seda/base/result.h"
#include "seda/dataset/corpus.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/loader.h"
#include "seda/feed/planted_faults.h"
#include "seda/feed/prepare.h"
#include "seda/text/frontend.h"

namespace seda::feed {

/// A clip, whole.
struct ReferenceClip {
  std::vector<int32_t> tokens;
  std::vector<float> mel;  // [n_mels, frames]
  int64_t frames = 0;
};

/// Makes clips from the files of a corpus, each time anew: the line through the frontend, the sound
/// decoded, its mel made on the CPU. No cache, no thread, no memory of what came before.
class ReferenceClips {
 public:
  /// `source`, which outlives it, says what clips there are; `options`, where their files are and
  /// what is made of them. `clock` outlives it.
  ReferenceClips(const ClipSource& source, const PrepareOptions& options, const Inject& inject,
                 const Clock& clock);

  /// The clip of that row of the source. Faults have the clip's id; one that the corpus no
  /// longer has is a fault of the corpus, or clip_gone.
  Result<ReferenceClip> read(uint32_t row);

  /// What was done so far: "read", "text", "decode", "mel".
  std::vector<LoaderStage> stages() const;

 private:
  Result<ReferenceClip> read(uint32_t row, const dataset::Utterance& utterance);
  std::vector<int32_t> read_line(const dataset::Utterance& utterance);

  const ClipSource& source_;
  dataset::Corpus corpus_;
  std::vector<const dataset::Utterance*> utterances_;  // of each row; null: gone
  std::unique_ptr<text::Frontend> frontend_;
  audio::SoundReader sounds_;
  audio::MelCpu mel_;
  audio::MelCpu::Workspace workspace_;
  PlantedFaults planted_;
  pipeline::StageRecorder read_;
  pipeline::StageRecorder text_;
  pipeline::StageRecorder decode_;
  pipeline::StageRecorder make_mel_;
};

}  // namespace seda::feed
