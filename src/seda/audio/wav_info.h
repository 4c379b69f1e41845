// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace seda::audio {

/// What the header of a wav file says, held against the size of the file.
struct WavInfo {
  uint16_t format = 0;  ///< 1 integers, 3 floating point; of an extensible file, what it extends.
  uint16_t channels = 0;
  uint32_t sample_rate = 0;
  uint16_t bits = 0;         ///< Of a sample.
  uint64_t data_offset = 0;  ///< Where the samples begin.
  uint64_t frames = 0;  ///< Samples of each channel that are there, whatever the header claims.

  double seconds() const { return static_cast<double>(frames) / sample_rate; }
  bool operator==(const WavInfo&) const = default;
};

/// Reads the header at the start of a file of `file_bytes` bytes, of which `head` are the first.
/// Nothing where it is no wav file, or its samples begin beyond `head`.
std::optional<WavInfo> parse_wav_info(std::span<const std::byte> head, uint64_t file_bytes);

/// The same of a file, by one read of its first 4 KiB. Nothing for any other kind of file.
std::optional<WavInfo> read_wav_info(const std::filesystem::path& path);

}  // namespace seda::audio
