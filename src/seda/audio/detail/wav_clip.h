// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "seda/audio/detail/clip_file.h"
#include "seda/audio/sound_reader.h"
#include "seda/audio/wav_info.h"

namespace seda::audio::detail {

/// The header of a wav file whose samples are plain numbers; nothing for any other kind of file.
///
/// Faults: audio_empty, audio_format, audio_truncated, audio_too_long. A claim that was left open
/// by a program that wrote to a stream is no fault: what is there counts.
Result<std::optional<WavInfo>> examine_wav(ClipFile& file);

SoundInfo sound_info(const WavInfo& wav);

/// Appends the clip to `mono`, which is empty, block by block. `block` is memory to work in.
std::optional<Fault> read_wav(ClipFile& file, const WavInfo& wav, std::vector<float>& block,
                              std::vector<float>& mono);

/// The fault of a file that gave fewer samples than it had when it was examined.
Fault cut_short(const ClipFile& file, uint64_t expected, uint64_t found);

}  // namespace seda::audio::detail
