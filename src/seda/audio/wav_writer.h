// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace seda::audio {

/// The 44 bytes before `data_bytes` of 16-bit mono samples. A rate that is not positive, or more
/// than the format's 32-bit sizes hold, is an Error(usage).
std::string wav_header(size_t data_bytes, int sample_rate);

/// The same where nobody knows yet how many will follow, as when they go into a pipe: all sizes are
/// 0xffffffff, which readers take for "to the end".
std::string open_wav_header(int sample_rate);

/// A wav file of 16-bit mono samples, byte for byte: header, then the samples.
std::string wav_bytes(std::span<const int16_t> samples, int sample_rate);

/// Writes `wav_bytes` beside `path` and renames it there: whoever sees the name sees a whole file.
///
/// Not synced: after a power cut the file may be gone or cut short, so a writer of many syncs once,
/// at the end (`sync_file_system`). A full disk is an Error(io) and leaves nothing behind.
void write_wav(const std::filesystem::path& path, std::span<const int16_t> samples,
               int sample_rate);

}  // namespace seda::audio
