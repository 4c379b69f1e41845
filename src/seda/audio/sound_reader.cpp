// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/sound_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "seda/audio/detail/clip_file.h"
#include "seda/audio/detail/compressed_clip.h"
#include "seda/audio/detail/wav_clip.h"
#include "seda/audio/level.h"
#include "seda/audio/loudness.h"
#include "seda/audio/resample.h"
#include "seda/audio/trim_silence.h"

namespace seda::audio {
namespace {

using detail::ClipFile;

constexpr size_t kWindow = size_t{1} << 20;  // most clips whole
constexpr size_t kProbeWindow = size_t{16} << 10;
constexpr size_t kMostResamplers = 8;

/// Resamplers to one rate; of many source rates, those used last.
class Resamplers {
 public:
  Resampler& from(int rate, const SoundOptions& options) {
    const auto found = std::ranges::find(kept_, rate, &Resampler::from_rate);
    if (found != kept_.end()) {
      std::rotate(kept_.begin(), found, found + 1);
      return kept_.front();
    }
    if (kept_.size() == kMostResamplers) kept_.pop_back();
    return *kept_.emplace(kept_.begin(), rate, options.sample_rate, options.resample_quality);
  }

 private:
  std::vector<Resampler> kept_;
};

bool changes_samples(const SoundOptions& o) {
  return o.trim_below_db || o.loudness_lufs || o.peak_dbfs;
}

/// A factor and whether it had to stop at full scale.
struct Gain {
  double factor = 1;
  bool limited = false;
};

/// Silence has no level to change.
Gain gain_of(const SoundOptions& o, std::span<const float> samples) {
  if (!o.loudness_lufs && !o.peak_dbfs) return {};
  const double peak = peak_level(samples);
  if (peak == 0) return {};
  const double most = kMostLevel / peak;
  if (o.peak_dbfs) return {std::min(from_db(*o.peak_dbfs) / peak, most), false};
  const auto loudness = integrated_loudness(samples, o.sample_rate);
  if (!loudness) return {};
  const double wanted = from_db(*o.loudness_lufs - *loudness);
  return {std::min(wanted, most), wanted > most};
}

}  // namespace

struct SoundReader::State {
  ClipFile file{kWindow};
  Resamplers resamplers;
  std::vector<float> block;
  std::vector<float> mono;
  std::vector<int16_t> pcm;

  bool is_ready(const WavInfo& wav, const SoundOptions& o) const {
    return wav.format == 1 && wav.bits == 16 && wav.channels == 1 &&
           static_cast<int>(wav.sample_rate) == o.sample_rate && !changes_samples(o);
  }
  Result<Sound> read(const SoundOptions& o);
  Result<Sound> take(const WavInfo& wav);
  Result<SoundInfo> decode(const std::optional<WavInfo>& wav);
  Result<Sound> process(const SoundInfo& source, const SoundOptions& o);
};

/// The samples as they lie in the file.
Result<Sound> SoundReader::State::take(const WavInfo& wav) {
  const auto size = static_cast<size_t>(wav.frames * wav.frame_bytes());
  const auto bytes = file.bytes(wav.data_offset, size);
  if (bytes.size() < size) return detail::cut_short(file, wav.frames, bytes.size() / 2);
  Sound sound;
  sound.source = detail::sound_info(wav);
  sound.copied = reinterpret_cast<uintptr_t>(bytes.data()) % alignof(int16_t) != 0;
  if (sound.copied) {
    pcm.resize(wav.frames);
    std::memcpy(pcm.data(), bytes.data(), size);
    sound.samples = pcm;
  } else {
    sound.samples = {reinterpret_cast<const int16_t*>(bytes.data()), wav.frames};
  }
  return sound;
}

Result<SoundInfo> SoundReader::State::decode(const std::optional<WavInfo>& wav) {
  mono.clear();
  if (!wav) return detail::read_compressed(file, block, mono);
  if (auto fault = detail::read_wav(file, *wav, block, mono)) return *fault;
  return detail::sound_info(*wav);
}

Result<Sound> SoundReader::State::process(const SoundInfo& source, const SoundOptions& o) {
  Sound sound;
  sound.source = source;
  sound.mixed = source.channels > 1;
  sound.resampled = source.sample_rate != o.sample_rate;
  std::span<const float> samples = mono;
  if (sound.resampled) samples = resamplers.from(source.sample_rate, o).apply(samples);
  if (o.trim_below_db) {
    const auto kept = trim_silence(samples, o.sample_rate, *o.trim_below_db, o.trim_margin_s);
    if (kept.empty()) return file.fault("audio_silent", "expected sound, found silence only");
    sound.trimmed = static_cast<int64_t>(samples.size() - kept.size());
    samples = kept;
  }
  const Gain gain = gain_of(o, samples);
  sound.gain_db = to_db(gain.factor);
  sound.limited = gain.limited;
  sound.clipped = to_pcm16(samples, static_cast<float>(gain.factor), pcm);
  sound.samples = pcm;
  return sound;
}

Result<Sound> SoundReader::State::read(const SoundOptions& o) {
  const auto examined = detail::examine_wav(file);
  if (!examined) return examined.fault();
  const std::optional<WavInfo>& wav = examined.value();
  if (wav && is_ready(*wav, o)) return take(*wav);
  const auto source = decode(wav);
  return source ? process(source.value(), o) : source.fault();
}

SoundReader::SoundReader(const SoundOptions& options)
    : options_(options), state_(std::make_unique<State>()) {
  check(options);
}
SoundReader::~SoundReader() = default;
SoundReader::SoundReader(SoundReader&&) noexcept = default;
SoundReader& SoundReader::operator=(SoundReader&&) noexcept = default;

Result<Sound> SoundReader::read(const std::filesystem::path& path) {
  if (auto fault = load(path)) return *fault;
  return sound();
}

std::optional<Fault> SoundReader::load(const std::filesystem::path& path) {
  if (auto fault = state_->file.open(path)) return fault;
  state_->file.bytes(0, kWindow);
  return std::nullopt;
}

Result<Sound> SoundReader::sound() {
  auto sound = state_->read(options_);
  state_->file.close();
  return sound;
}

Result<SoundInfo> probe_sound(const std::filesystem::path& path) {
  ClipFile file(kProbeWindow);
  if (auto fault = file.open(path)) return *fault;
  const auto examined = detail::examine_wav(file);
  if (!examined) return examined.fault();
  const std::optional<WavInfo>& wav = examined.value();
  return wav ? detail::sound_info(*wav) : detail::examine_compressed(file);
}

}  // namespace seda::audio
