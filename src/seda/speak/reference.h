// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "seda/audio/mel_options.h"
#include "seda/model/speech_request.h"

namespace seda::speak {

constexpr double kShortestReferenceS = 0.5;

/// The mel of a clip to speak like: read at the rate of `options`, silence at its ends cut off.
/// Less than half a second of sound is an Error(usage) that says how much there is; a file that
/// cannot be read is an Error(io).
model::MelData read_reference(const std::filesystem::path& path, const audio::MelOptions& options);

}  // namespace seda::speak
