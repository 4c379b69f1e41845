// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "seda/audio/detail/clip_file.h"
#include "seda/audio/sound_reader.h"

namespace seda::audio::detail {

/// The header of a clip that a library decodes. Faults: audio_format, audio_too_long.
Result<SoundInfo> examine_compressed(ClipFile& file);

/// Appends the clip to `mono`, which is empty, block by block, and returns what it was; its frames
/// are those found. `block` is memory to work in.
///
/// Faults: those of `examine_compressed`, audio_empty, audio_truncated (fewer samples than the
/// header claims, or an ogg stream without its end), audio_format (the decoder gave up; says
/// where), audio_not_finite. An mp3 file without a table does not say how long it should be: there
/// the last complete frame ends the clip.
Result<SoundInfo> read_compressed(ClipFile& file, std::vector<float>& block,
                                  std::vector<float>& mono);

}  // namespace seda::audio::detail
