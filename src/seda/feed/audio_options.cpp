// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/audio_options.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "seda/feed/audio_record.h"

namespace seda::feed {
namespace {

using audio::MelOptions;
using audio::ResampleQuality;
using audio::SoundOptions;

void take(const config::Config& config, const char* key, int& value) {
  if (!config.is_auto(key)) value = static_cast<int>(config.integer(key));
}

void take(const config::Config& config, const char* key, double& value) {
  if (!config.is_auto(key)) value = config.number(key);
}

std::optional<double> number(const config::Config& config, const char* key) {
  if (config.is_auto(key)) return std::nullopt;
  return config.number(key);
}

void take_choices(const config::Config& config, MelOptions& options) {
  if (!config.is_auto("data.mel.center")) options.center = config.boolean("data.mel.center");
  if (!config.is_auto("data.mel.filterbank")) {
    options.filterbank = config.text("data.mel.filterbank") == "htk" ? audio::Filterbank::htk
                                                                     : audio::Filterbank::slaney;
  }
  if (!config.is_auto("data.mel.compression")) {
    options.compression = config.text("data.mel.compression") == "log10" ? audio::Compression::log10
                                                                         : audio::Compression::log;
  }
}

ResampleQuality quality(const std::string& word) {
  if (word == "fast") return ResampleQuality::fast;
  return word == "best" ? ResampleQuality::best : ResampleQuality::high;
}

}  // namespace

std::string_view to_string(AudioKind kind) {
  return kind == AudioKind::mel ? "mel" : "pcm16";
}

std::string_view to_string(FileIdentity identity) {
  return identity == FileIdentity::stat ? "stat" : "content";
}

MelOptions mel_options(const config::Config& config) {
  int sample_rate = MelOptions().sample_rate;
  take(config, "data.mel.sample_rate", sample_rate);
  MelOptions options = audio::mel_preset(config.text("data.mel.preset"), sample_rate);
  options.fmax = std::min(options.fmax, sample_rate / 2.0);
  take(config, "data.mel.n_fft", options.n_fft);
  options.win_length = std::min(options.win_length, options.n_fft);
  take(config, "data.mel.win_length", options.win_length);
  take(config, "data.mel.hop_length", options.hop_length);
  take(config, "data.mel.n_mels", options.n_mels);
  take(config, "data.mel.fmin", options.fmin);
  take(config, "data.mel.fmax", options.fmax);
  take(config, "data.mel.power", options.power);
  take(config, "data.mel.floor", options.floor);
  take_choices(config, options);
  return options;
}

SoundOptions sound_options(const config::Config& config) {
  SoundOptions options;
  options.sample_rate = mel_options(config).sample_rate;
  options.resample_quality = quality(config.text("data.audio.resample_quality"));
  if (config.boolean("data.audio.trim_silence")) {
    options.trim_below_db = config.number("data.audio.silence_threshold");
    options.trim_margin_s = config.number("data.audio.trim_margin");
  }
  options.loudness_lufs = number(config, "data.audio.loudness");
  options.peak_dbfs = number(config, "data.audio.peak");
  return options;
}

AudioKind audio_kind(const config::Config& config, bool has_gpu) {
  constexpr const char* kKey = "data.preprocessing_mode";
  if (config.is_auto(kKey)) return has_gpu ? AudioKind::pcm16 : AudioKind::mel;
  return config.text(kKey) == "on_the_fly" ? AudioKind::pcm16 : AudioKind::mel;
}

AudioOptions audio_options(const config::Config& config, bool has_gpu) {
  AudioOptions options;
  options.sound = sound_options(config);
  options.mel = mel_options(config);
  options.kind = audio_kind(config, has_gpu);
  options.identity =
      config.text("data.hash") == "content" ? FileIdentity::content : FileIdentity::stat;
  audio::check(options.sound);
  audio::check(options.mel);
  return options;
}

Json audio_description(const AudioOptions& options) {
  Json out = {{"kind", to_string(options.kind)}, {"sound", audio::describe(options.sound)}};
  if (options.kind == AudioKind::mel) out["mel"] = audio::describe(options.mel);
  out["key"] = to_string(options.identity);
  out["record"] = kAudioRecordVersion;
  return out;
}

}  // namespace seda::feed
