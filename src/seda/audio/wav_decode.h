// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "seda/audio/wav_info.h"

namespace seda::audio {

/// Whether the samples are plain numbers: integers of 8, 16, 24 or 32 bits, or floating point of 32
/// or 64.
bool is_linear(const WavInfo& info);

/// Samples of a file that `is_linear`, as floating point in the order of the file.
///
///     8 bits: (x - 128) / 128;  n bits: x / 2^(n - 1);  floating point: x
///
/// `bytes` holds just `out.size()` samples, at any address; exact but for 32-bit integers and
/// double precision, which are rounded.
void decode_wav(const WavInfo& info, std::span<const std::byte> bytes, std::span<float> out);

}  // namespace seda::audio
