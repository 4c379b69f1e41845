// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/reference.h"

#include "seda/audio/mel_cpu.h"
#include "seda/audio/sound_reader.h"
#include "seda/base/error.h"

namespace seda::speak {
namespace {

constexpr double kTrimBelowDb = 40;

model::MelData mel_of(std::span<const int16_t> samples, const audio::MelOptions& options) {
  const audio::MelCpu plan(options);
  audio::MelCpu::Workspace workspace(plan);
  const auto frames = static_cast<size_t>(plan.frames(std::ssize(samples)));
  model::MelData mel{.n_mels = options.n_mels, .frames = static_cast<int>(frames), .values = {}};
  mel.values.resize(static_cast<size_t>(options.n_mels) * frames);
  plan.apply(samples, workspace, {mel.values.data(), frames, frames});
  return mel;
}

}  // namespace

model::MelData read_reference(const std::filesystem::path& path, const audio::MelOptions& options) {
  audio::SoundOptions sound_options;
  sound_options.sample_rate = options.sample_rate;
  sound_options.trim_below_db = kTrimBelowDb;
  audio::SoundReader reader(sound_options);
  const auto sound = reader.read(path);
  if (!sound) {
    throw_error(ErrorKind::io, "reference {}: {}: {}", path.native(), sound.fault().code,
                sound.fault().evidence);
  }
  const auto samples = sound.value().samples;
  const double seconds = static_cast<double>(samples.size()) / options.sample_rate;
  if (seconds < kShortestReferenceS) {
    throw_error(ErrorKind::usage,
                "reference {}: has {:.2f} s of sound, silence at its ends not counted; at least "
                "{:.1f} s are needed, and some seconds are better",
                path.native(), seconds, kShortestReferenceS);
  }
  return mel_of(samples, options);
}

}  // namespace seda::speak
