// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/sound_options.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"

namespace seda::audio {
namespace {

// Of each step; a new one wherever the same options give other samples.
constexpr int kDecodeVersion = 1;  // and mixing
constexpr int kResampleVersion = 1;
constexpr int kTrimVersion = 1;
constexpr int kLoudnessVersion = 1;
constexpr int kPeakVersion = 1;
constexpr int kRoundVersion = 1;

template <typename... Args>
void require(bool holds, fmt::format_string<Args...> reason, Args&&... args) {
  if (holds) return;
  throw_error(ErrorKind::config, "data.audio.{}", fmt::format(reason, std::forward<Args>(args)...));
}

bool within(double value, double least, double most) {
  return value >= least && value <= most;  // false for what is no number
}

std::string_view name_of(ResampleQuality quality) {
  switch (quality) {
    case ResampleQuality::fast:
      return "fast";
    case ResampleQuality::high:
      return "high";
    case ResampleQuality::best:
      return "best";
  }
  return "unknown";
}

Json describe_trim(const SoundOptions& o) {
  if (!o.trim_below_db) return "off";
  return {{"version", kTrimVersion}, {"below_db", *o.trim_below_db}, {"margin_s", o.trim_margin_s}};
}

Json describe_level(const std::optional<double>& level, const char* unit, int version) {
  if (!level) return "off";
  return {{"version", version}, {unit, *level}};
}

}  // namespace

void check(const SoundOptions& o) {
  if (o.sample_rate < 1000 || o.sample_rate > 384000) {
    throw_error(ErrorKind::config, "data.mel.sample_rate: expected 1000 to 384000 Hz, found {}",
                o.sample_rate);
  }
  require(within(o.trim_below_db.value_or(60), 1, 120),
          "silence_threshold: expected 1 to 120 dB below the loudest, found {}",
          o.trim_below_db.value_or(0));
  require(within(o.trim_margin_s, 0, 10), "trim_margin: expected 0 to 10 s, found {}",
          o.trim_margin_s);
  require(within(o.loudness_lufs.value_or(-23), -70, 0),
          "loudness: expected -70 to 0 LUFS, found {}", o.loudness_lufs.value_or(0));
  require(within(o.peak_dbfs.value_or(-1), -60, 0), "peak: expected -60 to 0 dBFS, found {}",
          o.peak_dbfs.value_or(0));
  require(!o.loudness_lufs || !o.peak_dbfs,
          "loudness and data.audio.peak: expected at most one, found both; each sets the level");
}

Json describe(const SoundOptions& o) {
  return {{"decode", {{"version", kDecodeVersion}}},
          {"sample_rate", o.sample_rate},
          {"resample", {{"version", kResampleVersion}, {"quality", name_of(o.resample_quality)}}},
          {"trim", describe_trim(o)},
          {"loudness", describe_level(o.loudness_lufs, "lufs", kLoudnessVersion)},
          {"peak", describe_level(o.peak_dbfs, "dbfs", kPeakVersion)},
          {"round", {{"version", kRoundVersion}}}};
}

}  // namespace seda::audio
