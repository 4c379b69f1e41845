// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda::bench {

/// Writes a corpus like LJSpeech into `folder`, unless one is there: 16-bit wavs at 22.05 kHz, 1.1
/// to 10.1 s long, 6.6 s on average, and `metadata.csv`. The same files every time.
void make_speech_corpus(const std::filesystem::path& folder, int clips);

}  // namespace seda::bench
