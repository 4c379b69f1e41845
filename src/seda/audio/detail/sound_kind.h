// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/audio/detail/clip_file.h"

namespace seda::audio::detail {

enum class SoundKind { unknown, wav, flac, ogg, mpeg };

/// What kind of sound a file begins like. Only these are shown to a decoder: libsndfile would try
/// two dozen rarer formats on any bytes.
SoundKind sound_kind(ClipFile& file);

/// Bytes of the ID3 tag that a file begins with, 0 where there is none.
uint64_t tag_bytes(ClipFile& file);

}  // namespace seda::audio::detail
