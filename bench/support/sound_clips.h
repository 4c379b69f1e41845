// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/scratch_folder.h"
#include <sndfile.h>

#include "seda/base/random.h"

namespace seda::bench {

/// A kind of file, as libsndfile is told to write it.
struct ClipKind {
  std::string_view container;  ///< wav, flac, ogg or mp3.
  std::string_view encoding;   ///< pcm16, pcm24, float, vorbis, opus or mp3.
  int rate = 22050;
  int channels = 1;
};

inline int sound_format(const ClipKind& kind) {
  int format = SF_FORMAT_WAV;
  if (kind.container == "flac") format = SF_FORMAT_FLAC;
  if (kind.container == "ogg") format = SF_FORMAT_OGG;
  if (kind.container == "mp3") format = SF_FORMAT_MPEG;
  if (kind.encoding == "pcm24") return format | SF_FORMAT_PCM_24;
  if (kind.encoding == "float") return format | SF_FORMAT_FLOAT;
  if (kind.encoding == "vorbis") return format | SF_FORMAT_VORBIS;
  if (kind.encoding == "opus") return format | SF_FORMAT_OPUS;
  if (kind.encoding == "mp3") return format | SF_FORMAT_MPEG_LAYER_III;
  return format | SF_FORMAT_PCM_16;
}

/// Harmonics that swell four times a second, over a little noise: hard enough for an encoder, and
/// the same every time.
inline std::vector<float> speech_like(int rate, double seconds, uint64_t seed = 0) {
  Random random(seed);
  std::vector<float> samples(static_cast<size_t>(seconds * rate));
  const double pitch = 110 + static_cast<double>(random.below(100));
  for (size_t t = 0; t < samples.size(); ++t) {
    const double at = static_cast<double>(t) / rate;
    double voice = 0;
    for (int k = 1; k <= 12; ++k)
      voice += std::sin(2 * M_PI * pitch * k * at + k * k) / k;
    const double swell = std::max(0.0, std::sin(2 * M_PI * 2 * at));
    const double noise = static_cast<double>(random.below(2001)) / 1000 - 1;
    samples[t] = static_cast<float>(0.15 * swell * voice + 0.002 * noise);
  }
  return samples;
}

/// Files of one kind, in a folder that goes with it.
class ClipFolder {
 public:
  ClipFolder(const ClipKind& kind, double seconds, size_t count) {
    for (size_t i = 0; i < count; ++i)
      add(kind, speech_like(kind.rate, seconds, i));
  }

  const std::filesystem::path& file(size_t i) const { return files_[i]; }
  uint64_t mean_bytes() const { return bytes_ / files_.size(); }

 private:
  void add(const ClipKind& kind, const std::vector<float>& mono) {
    std::vector<float> frames;
    for (const float sample : mono)
      frames.insert(frames.end(), static_cast<size_t>(kind.channels), sample);
    SF_INFO info{};
    info.format = sound_format(kind);
    info.samplerate = kind.rate;
    info.channels = kind.channels;
    const auto path = folder_.path() / std::to_string(files_.size());
    SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
    if (file == nullptr) throw std::runtime_error(sf_strerror(nullptr));
    sf_write_float(file, frames.data(), static_cast<sf_count_t>(frames.size()));
    sf_close(file);
    files_.push_back(path);
    bytes_ += std::filesystem::file_size(path);
  }

  ScratchFolder folder_;
  std::vector<std::filesystem::path> files_;
  uint64_t bytes_ = 0;
};

}  // namespace seda::bench
