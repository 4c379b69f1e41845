// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "seda/audio/sound_options.h"
#include "seda/base/result.h"

namespace seda::audio {

/// What a file holds, by its own header.
struct SoundInfo {
  std::string format;  ///< "wav pcm16", "flac", "mp3", …
  int sample_rate = 0;
  int channels = 0;
  int64_t frames = 0;  ///< Samples of each channel; 0 where the header does not say.

  double seconds() const { return sample_rate > 0 ? static_cast<double>(frames) / sample_rate : 0; }
  bool operator==(const SoundInfo&) const = default;
};

/// Samples at the rate that was asked for, and what was done to get them. Valid until the reader's
/// next call.
struct Sound {
  std::span<const int16_t> samples;
  SoundInfo source;
  bool copied = true;  ///< False: the samples are the file's own bytes, as they were read.
  bool mixed = false;  ///< Channels were brought to one,
  bool resampled = false;
  int64_t trimmed = 0;   ///< samples cut from the ends,
  double gain_db = 0;    ///< and the level changed.
  bool limited = false;  ///< The gain stopped short of the loudness, at 0 dBFS.
  int64_t clipped = 0;   ///< Samples that left the range of 16 bits and were held there.
};

/// Looks at a file without decoding it. Faults as `SoundReader::read`.
Result<SoundInfo> probe_sound(const std::filesystem::path& path);

/// Reads clips, one after another: wav (8, 16, 24, 32 bit, float, extensible), flac, ogg, opus,
/// mp3; of 1 to 384 kHz and up to 64 channels.
///
/// A plain 16-bit mono wav at the wanted rate, with no step to do, is read in one piece and neither
/// converted nor copied. Memory is kept from clip to clip; what a header claims is never allocated
/// before that much was read. One thread at a time.
///
/// Faults, with the path as their id: audio_missing, audio_not_a_file (folder, FIFO, device, link
/// to itself), audio_unreadable (permission, read error), audio_empty (no samples), audio_format
/// (not a known kind, damaged, over 64 channels, a rate outside 1,000–384,000 Hz), audio_truncated
/// (the file ends early), audio_not_finite (NaN, infinite or absurd samples), audio_too_long (over
/// 2 h), audio_silent (all trimmed away).
class SoundReader {
 public:
  /// Checks the options.
  explicit SoundReader(const SoundOptions& options);
  ~SoundReader();
  SoundReader(SoundReader&&) noexcept;
  SoundReader& operator=(SoundReader&&) noexcept;

  /// `load`, then `sound`.
  Result<Sound> read(const std::filesystem::path& path);

  /// Opens the file and brings its first bytes into memory, of most clips all: the part that waits
  /// for a disk.
  std::optional<Fault> load(const std::filesystem::path& path);
  /// Decodes the file that was loaded last and lets go of it: the part that needs a processor. Once
  /// for each `load`.
  Result<Sound> sound();

  const SoundOptions& options() const noexcept { return options_; }

 private:
  struct State;

  SoundOptions options_;
  std::unique_ptr<State> state_;
};

}  // namespace seda::audio
