// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "seda/audio/detail/clip_file.h"
#include "seda/audio/sound_reader.h"

namespace seda::audio::detail {

/// A compressed clip, decoded block by block. Reads through the clip's file, which must outlive it.
class SoundFile {
 public:
  virtual ~SoundFile() = default;

  /// What stopped the decoder so far, in its own words; empty where nothing has. Asked first: where
  /// the header cannot be read, nothing else may be.
  virtual std::string problem() const = 0;

  virtual SoundInfo info() const = 0;

  /// False where the file should hold a mark of the stream's end and does not.
  virtual bool has_end() const { return true; }

  /// The next frames into `out`, whose size is a multiple of the channels; how many, 0 at the end.
  virtual size_t read(std::span<float> out) = 0;  // [frames, channels]
};

/// flac, ogg, opus, and wav that holds anything but plain numbers.
std::unique_ptr<SoundFile> open_sndfile(ClipFile& file);

/// mp3. Not by libsndfile: docs/decisions/audio.md.
std::unique_ptr<SoundFile> open_mpg123(ClipFile& file);

}  // namespace seda::audio::detail
