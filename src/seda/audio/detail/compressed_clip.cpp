// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/compressed_clip.h"

#include <memory>

#include <fmt/format.h>

#include "seda/audio/detail/clip_limits.h"
#include "seda/audio/detail/sound_file.h"
#include "seda/audio/detail/sound_kind.h"
#include "seda/audio/mono.h"

namespace seda::audio::detail {
namespace {

/// The table of an mp3 file may count its own frame, and encoders disagree about the last.
constexpr int64_t kMpegSlack = int64_t{2} * 1152;

/// Empty where no decoder is for such files.
std::unique_ptr<SoundFile> open_sound(ClipFile& file) {
  const SoundKind kind = sound_kind(file);
  if (kind == SoundKind::unknown) return nullptr;
  return kind == SoundKind::mpeg ? open_mpg123(file) : open_sndfile(file);
}

/// Whether the header could be read, and what it says can be.
std::optional<Fault> check_open(const ClipFile& file, const SoundFile* sound) {
  if (auto fault = file.read_fault()) return fault;
  if (sound == nullptr) {
    return file.fault("audio_format", "expected wav, flac, ogg, opus or mp3, found another kind");
  }
  if (const auto problem = sound->problem(); !problem.empty()) {
    return file.fault("audio_format", fmt::format("cannot be decoded: {}", problem));
  }
  return check_limits(file, sound->info());
}

/// Whether all that was promised has come.
std::optional<Fault> check_end(const ClipFile& file, const SoundFile& sound, int64_t found) {
  const auto [format, rate, channels, claimed] = sound.info();
  if (auto fault = file.read_fault()) return fault;
  if (const auto problem = sound.problem(); !problem.empty()) {
    return file.fault("audio_format", fmt::format("the decoder stopped at sample {} of {}: {}",
                                                  found, claimed, problem));
  }
  if (found < claimed - (format == "mp3" ? kMpegSlack : 0)) {
    return file.fault("audio_truncated",
                      fmt::format("expected {} samples, found {}", claimed, found));
  }
  if (!sound.has_end()) {
    return file.fault(
        "audio_truncated",
        fmt::format("expected the end of the stream, found that of the file after {} samples",
                    found));
  }
  if (found == 0) return file.fault("audio_empty", "expected samples, found none");
  return std::nullopt;
}

/// Decodes until nothing comes, as far as a clip may be long.
std::optional<Fault> read_all(ClipFile& file, SoundFile& sound, std::vector<float>& block,
                              std::vector<float>& mono) {
  SoundInfo info = sound.info();
  const auto channels = static_cast<size_t>(info.channels);
  block.resize(kBlock / channels * channels);
  for (info.frames = 0;;) {
    const size_t count = sound.read(block);
    if (count == 0) return std::nullopt;
    const auto got = std::span(block).first(count * channels);
    if (auto fault = check_finite(file, got, info.channels, info.frames)) return fault;
    mono.resize(mono.size() + count);
    mix_to_mono(got, info.channels, std::span(mono).last(count));
    info.frames += static_cast<int64_t>(count);
    if (auto fault = check_limits(file, info)) return fault;
  }
}

}  // namespace

Result<SoundInfo> examine_compressed(ClipFile& file) {
  const auto sound = open_sound(file);
  if (auto fault = check_open(file, sound.get())) return *fault;
  return sound->info();
}

Result<SoundInfo> read_compressed(ClipFile& file, std::vector<float>& block,
                                  std::vector<float>& mono) {
  const auto sound = open_sound(file);
  if (auto fault = check_open(file, sound.get())) return *fault;
  if (auto fault = read_all(file, *sound, block, mono)) return *fault;
  const auto found = static_cast<int64_t>(mono.size());
  if (auto fault = check_end(file, *sound, found)) return *fault;
  SoundInfo info = sound->info();
  info.frames = found;
  return info;
}

}  // namespace seda::audio::detail
