// SPDX-License-Identifier: Apache-2.0
// Any bytes as a clip: a fault with a code, or samples of the length that the source's own makes.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/memory_file.h"

#include "seda/audio/sound_reader.h"

namespace {

using namespace seda;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_fault(const Fault& fault) {
  require(fault.code.starts_with("audio_") && !fault.evidence.empty());
}

audio::SoundOptions every_step() {
  audio::SoundOptions options;
  options.sample_rate = 16000;
  options.trim_below_db = 40;
  options.loudness_lufs = -23;
  return options;
}

void check_plain(const Result<audio::Sound>& sound) {
  if (!sound) return check_fault(sound.fault());
  const auto& [samples, source, copied, mixed, resampled, trimmed, gain_db, limited, clipped] =
      sound.value();
  require(source.frames > 0 && source.channels > 0 && source.sample_rate > 0);
  require(mixed == (source.channels > 1) && trimmed == 0 && gain_db == 0 && !limited);
  const auto length = (source.frames * 22050 + source.sample_rate - 1) / source.sample_rate;
  require(static_cast<int64_t>(samples.size()) == length && clipped <= length);
  require(copied || !resampled);
}

void check_busy(const Result<audio::Sound>& sound) {
  if (!sound) return check_fault(sound.fault());
  require(!sound.value().samples.empty() && sound.value().clipped == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::MemoryFile file;
  static audio::SoundReader plain{audio::SoundOptions{}};
  static audio::SoundReader busy(every_step());
  file.replace({reinterpret_cast<const char*>(data), size});
  const auto info = audio::probe_sound(file.path());
  if (!info) check_fault(info.fault());
  const auto sound = plain.read(file.path());
  require(info || !sound);
  check_plain(sound);
  check_busy(busy.read(file.path()));
  return 0;
}
