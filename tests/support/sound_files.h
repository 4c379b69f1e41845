// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <sndfile.h>

namespace seda::testing_support {

/// How a file is to be written: libsndfile's format, rate and channels.
struct SoundFormat {
  int format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
  int rate = 22050;
  int channels = 1;
};

/// A file that libsndfile writes, of any kind that it can.
class SoundFileWriter {
 public:
  SoundFileWriter(const std::filesystem::path& path, const SoundFormat& format) : name_(path) {
    SF_INFO info{};
    info.format = format.format;
    info.samplerate = format.rate;
    info.channels = format.channels;
    file_ = sf_open(path.c_str(), SFM_WRITE, &info);
    if (file_ == nullptr) throw std::runtime_error(name_ + ": " + sf_strerror(nullptr));
    sf_command(file_, SFC_SET_CLIPPING, nullptr, SF_TRUE);
  }
  ~SoundFileWriter() { sf_close(file_); }
  SoundFileWriter(const SoundFileWriter&) = delete;
  SoundFileWriter& operator=(const SoundFileWriter&) = delete;

  void write(const std::vector<double>& samples) {
    require(sf_write_double(file_, samples.data(), static_cast<sf_count_t>(samples.size())),
            samples.size());
  }
  void write(const std::vector<int16_t>& samples) {
    require(sf_write_short(file_, samples.data(), static_cast<sf_count_t>(samples.size())),
            samples.size());
  }

 private:
  void require(sf_count_t written, size_t wanted) const {
    if (written != static_cast<sf_count_t>(wanted))
      throw std::runtime_error(name_ + ": not written");
  }

  std::string name_;
  SNDFILE* file_ = nullptr;
};

/// Writes samples, in [-1, 1] or of 16 bits, and returns `path`.  // [frames, channels]
template <typename T>
std::filesystem::path write_sound(const std::filesystem::path& path, const SoundFormat& format,
                                  const std::vector<T>& samples) {
  SoundFileWriter(path, format).write(samples);
  return path;
}

/// `seconds` of a sine, the same in every channel but a third quieter in each that follows.
inline std::vector<double> sine_frames(double hertz, double peak, double seconds, int rate,
                                       int channels = 1) {
  std::vector<double> samples;
  const auto frames = static_cast<size_t>(std::lround(seconds * rate));
  for (size_t t = 0; t < frames; ++t) {
    double value = peak * std::sin(2 * std::numbers::pi * hertz * static_cast<double>(t) / rate);
    for (int channel = 0; channel < channels; ++channel, value *= 2.0 / 3)
      samples.push_back(value);
  }
  return samples;
}

}  // namespace seda::testing_support
