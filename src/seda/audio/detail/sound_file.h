// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "seda/audio/detail/clip_file.h"
#include "seda/audio/sound_reader.h"

namespace seda::audio::detail {

/// A compressed clip, decoded block by block by libsndfile.
///
/// Only files that begin like wav, flac, ogg or mp3 are shown to the library, which would try two
/// dozen rarer formats on any bytes. Reads through the clip's file, which must outlive it.
class SoundFile {
 public:
  /// Reads the header. Where that fails, `problem` says why and nothing else may be asked.
  explicit SoundFile(ClipFile& file);
  ~SoundFile();
  SoundFile(const SoundFile&) = delete;
  SoundFile& operator=(const SoundFile&) = delete;

  /// Why the file cannot be read (so far): the library's words. Empty where nothing is wrong.
  std::string problem() const;

  const SoundInfo& info() const noexcept { return info_; }

  /// The next frames into `out`, whose size is a multiple of the channels; how many, 0 at the end.
  size_t read(std::span<float> out);  // [frames, channels]

 private:
  struct State;

  std::unique_ptr<State> state_;
  SoundInfo info_;
};

/// Whether a file that begins so is of a kind that `SoundFile` takes, or wav. 12 bytes will do.
bool is_sound(std::span<const std::byte> head);
bool is_wav(std::span<const std::byte> head);

}  // namespace seda::audio::detail
