// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_options.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_object.h"

namespace seda::audio {
namespace {

constexpr std::array<std::string_view, 3> kPresets = {"hifigan", "tacotron2", "fullband"};

template <typename... Args>
void require(bool holds, fmt::format_string<Args...> reason, Args&&... args) {
  if (!holds) {
    throw_error(ErrorKind::config, "data.mel.{}", fmt::format(reason, std::forward<Args>(args)...));
  }
}

/// What is left when every factor 2, 3 and 5 is divided out.
int without_small_factors(int n) {
  for (const int factor : {2, 3, 5}) {
    while (n % factor == 0)
      n /= factor;
  }
  return n;
}

bool has_transform(int n_fft) {
  return n_fft % 2 == 0 && without_small_factors(n_fft) == 1;
}

int nearest_transform(int n_fft) {
  int size = n_fft;
  while (!has_transform(size))
    ++size;
  return size;
}

void check_frames(const MelOptions& o) {
  require(o.sample_rate >= 1000 && o.sample_rate <= 384000,
          "sample_rate: expected 1000 to 384000 Hz, found {}", o.sample_rate);
  require(o.n_fft >= 16 && o.n_fft <= 16384, "n_fft: expected 16 to 16384 samples, found {}",
          o.n_fft);
  require(has_transform(o.n_fft),
          "n_fft: expected an even number with no prime factor but 2, 3 and 5, found {}; {} would "
          "do",
          o.n_fft, nearest_transform(o.n_fft));
  require(o.win_length >= 2 && o.win_length <= o.n_fft,
          "win_length: expected 2 to n_fft ({}) samples, found {}", o.n_fft, o.win_length);
  require(o.hop_length >= 1 && o.hop_length <= o.win_length,
          "hop_length: expected 1 to win_length ({}) samples, found {}; a longer hop skips samples",
          o.win_length, o.hop_length);
}

void check_bands(const MelOptions& o) {
  const double half = o.sample_rate / 2.0;
  require(o.n_mels >= 1 && o.n_mels <= 512, "n_mels: expected 1 to 512 bands, found {}", o.n_mels);
  require(o.fmin >= 0 && o.fmin < o.fmax, "fmin: expected 0 to below fmax ({}) Hz, found {}",
          o.fmax, o.fmin);
  require(o.fmax <= half, "fmax: expected at most half the sample rate ({}) Hz, found {}", half,
          o.fmax);
  require(o.power > 0 && o.power <= 4, "power: expected above 0 to 4, found {}", o.power);
  require(o.floor >= 1e-12 && o.floor <= 1, "floor: expected 1e-12 to 1, found {}", o.floor);
}

/// By their numbers in the enumerations.
constexpr std::array<std::string_view, 2> kFilterbanks = {"slaney", "htk"};
constexpr std::array<std::string_view, 2> kCompressions = {"log", "log10"};

}  // namespace

MelOptions mel_preset(std::string_view name, int sample_rate) {
  MelOptions options;
  options.sample_rate = sample_rate;
  if (name == "hifigan") return options;
  options.center = true;
  if (name == "tacotron2") return options;
  options.fmax = sample_rate / 2.0;
  if (name == "fullband") return options;
  throw_error(ErrorKind::config, "data.mel.preset: expected one of {}, found '{}'",
              fmt::join(kPresets, ", "), name);
}

std::vector<std::string_view> mel_preset_names() {
  return {kPresets.begin(), kPresets.end()};
}

void check(const MelOptions& options) {
  check_frames(options);
  check_bands(options);
}

int mel_padding(const MelOptions& options) {
  return (options.center ? options.n_fft : options.n_fft - options.hop_length) / 2;
}

int64_t mel_frames(const MelOptions& options, int64_t samples) {
  const int64_t room = samples + 2 * int64_t{mel_padding(options)} - options.n_fft;
  return samples <= 0 || room < 0 ? 0 : room / options.hop_length + 1;
}

float mel_silence(const MelOptions& options) {
  return static_cast<float>(options.compression == Compression::log ? std::log(options.floor)
                                                                    : std::log10(options.floor));
}

Json describe(const MelOptions& o) {
  return {{"sample_rate", o.sample_rate},
          {"n_fft", o.n_fft},
          {"hop_length", o.hop_length},
          {"win_length", o.win_length},
          {"center", o.center},
          {"n_mels", o.n_mels},
          {"fmin", o.fmin},
          {"fmax", o.fmax},
          {"filterbank", o.filterbank == Filterbank::slaney ? "slaney" : "htk"},
          {"power", o.power},
          {"compression", o.compression == Compression::log ? "log" : "log10"},
          {"floor", o.floor}};
}

MelOptions read_mel_options(const Json& description) {
  const JsonObject from(description, "mel definition");
  MelOptions o;
  from.read("sample_rate", o.sample_rate);
  from.read("n_fft", o.n_fft);
  from.read("hop_length", o.hop_length);
  from.read("win_length", o.win_length);
  from.read("center", o.center);
  from.read("n_mels", o.n_mels);
  from.read("fmin", o.fmin);
  from.read("fmax", o.fmax);
  o.filterbank = static_cast<Filterbank>(from.choice("filterbank", kFilterbanks));
  from.read("power", o.power);
  o.compression = static_cast<Compression>(from.choice("compression", kCompressions));
  from.read("floor", o.floor);
  check(o);
  return o;
}

}  // namespace seda::audio
