// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace seda::audio {

/// A wav file of 16-bit mono samples, byte for byte: 44 bytes of header, then the samples.
///
/// More than fits the format's 32-bit sizes, or a rate that is not positive, is an Error(usage).
std::string wav_bytes(std::span<const int16_t> samples, int sample_rate);

/// Writes `wav_bytes` beside `path` and renames it there: whoever sees the name sees a whole file.
///
/// Not synced: after a power cut the file may be gone or cut short, so a writer of many syncs once,
/// at the end (`sync_file_system`). A full disk is an Error(io) and leaves nothing behind.
void write_wav(const std::filesystem::path& path, std::span<const int16_t> samples,
               int sample_rate);

/// Returns when all that was written to the file system of `folder` is on the disk.
void sync_file_system(const std::filesystem::path& folder);

}  // namespace seda::audio
