// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/wav_clip.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/audio/detail/clip_limits.h"
#include "seda/audio/detail/sound_kind.h"
#include "seda/audio/mono.h"
#include "seda/audio/wav_decode.h"
#include "seda/base/units.h"

namespace seda::audio::detail {
namespace {

constexpr size_t kUsualHeader = size_t{4} << 10;
constexpr size_t kLongestHeader = size_t{16} << 20;  // with pictures and the like

std::optional<WavInfo> parse(ClipFile& file, std::string& problem) {
  for (const size_t size : {kUsualHeader, kLongestHeader}) {
    const auto head = file.bytes(0, size);
    if (const auto info = parse_wav_info(head, file.size(), &problem)) return info;
    if (head.size() < size) break;
  }
  return std::nullopt;
}

/// A file that ends before its header says so.
std::optional<Fault> check_whole(const ClipFile& file, const WavInfo& wav) {
  const uint64_t claimed = wav.claimed_bytes / wav.frame_bytes();
  if (wav.open_ended || claimed <= wav.frames) return std::nullopt;
  return file.fault("audio_truncated",
                    fmt::format("expected {} of samples ({} a channel), found {} ({})",
                                format_bytes(wav.claimed_bytes), claimed,
                                format_bytes(wav.frames * wav.frame_bytes()), wav.frames));
}

std::optional<Fault> check_linear(const ClipFile& file, const WavInfo& wav) {
  if (auto fault = check_whole(file, wav)) return fault;
  if (wav.frames == 0) return file.fault("audio_empty", "expected samples, found none");
  return check_limits(file, sound_info(wav));
}

}  // namespace

Result<std::optional<WavInfo>> examine_wav(ClipFile& file) {
  if (file.size() == 0) return file.fault("audio_empty", "expected a sound, found an empty file");
  const SoundKind kind = sound_kind(file);
  if (auto fault = file.read_fault()) return *fault;
  if (kind != SoundKind::wav) return std::optional<WavInfo>();
  std::string problem;
  const auto wav = parse(file, problem);
  if (auto fault = file.read_fault()) return *fault;
  if (!wav) return file.fault("audio_format", problem);
  if (!is_linear(*wav)) return std::optional<WavInfo>();
  if (auto fault = check_linear(file, *wav)) return *fault;
  return wav;
}

SoundInfo sound_info(const WavInfo& wav) {
  const char* kind = wav.format == 3 ? "float" : "pcm";
  return {fmt::format("wav {}{}", kind, wav.bits),
          static_cast<int>(std::min(wav.sample_rate, 1u << 30)), wav.channels,
          static_cast<int64_t>(wav.frames)};
}

Fault cut_short(const ClipFile& file, uint64_t expected, uint64_t found) {
  if (auto fault = file.read_fault()) return *fault;
  return file.fault("audio_truncated", fmt::format("expected {} samples, found {}; the file was "
                                                   "cut while it was read",
                                                   expected, found));
}

std::optional<Fault> read_wav(ClipFile& file, const WavInfo& wav, std::vector<float>& block,
                              std::vector<float>& mono) {
  const uint64_t most = kBlock / wav.channels;
  for (uint64_t frame = 0; frame < wav.frames;) {
    const auto count = static_cast<size_t>(std::min(most, wav.frames - frame));
    const size_t size = count * wav.frame_bytes();
    const auto bytes = file.bytes(wav.data_offset + frame * wav.frame_bytes(), size);
    if (bytes.size() < size) return cut_short(file, wav.frames, frame);
    block.resize(count * wav.channels);
    decode_wav(wav, bytes, block);
    if (auto fault = check_finite(file, block, wav.channels, static_cast<int64_t>(frame)))
      return fault;
    mono.resize(mono.size() + count);
    mix_to_mono(block, wav.channels, std::span(mono).last(count));
    frame += count;
  }
  return std::nullopt;
}

}  // namespace seda::audio::detail
