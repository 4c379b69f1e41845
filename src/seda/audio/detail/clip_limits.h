// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "seda/audio/detail/clip_file.h"
#include "seda/audio/sound_reader.h"

namespace seda::audio::detail {

constexpr int kMostChannels = 64;
constexpr int kLeastRate = 1000;  ///< Hz; a lower one would make a small file a long sound.
constexpr int kMostRate = 384'000;
constexpr int64_t kMostSeconds = 7200;
constexpr int64_t kMostFrames = kMostSeconds * 96'000;

/// Where a sample is farther from 0 than this, sums of samples may no longer be finite.
constexpr float kMostValue = 1e9F;

/// Sound that is decoded at a time: samples of all channels.
constexpr size_t kBlock = size_t{64} << 10;

/// audio_format where channels or rate are beyond these limits, audio_too_long where the frames
/// are.
std::optional<Fault> check_limits(const ClipFile& file, const SoundInfo& info);

/// audio_not_finite where a sample is no number, infinite or beyond `kMostValue`; names the first.
/// `first_frame` is where `samples` stand in the clip.  // [frames, channels]
std::optional<Fault> check_finite(const ClipFile& file, std::span<const float> samples,
                                  int channels, int64_t first_frame);

}  // namespace seda::audio::detail
