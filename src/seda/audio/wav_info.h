// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace seda::audio {

/// What the header of a wav file says, held against the size of the file.
struct WavInfo {
  uint16_t format = 0;  ///< 1 integers, 3 floating point; of an extensible file, what it extends.
  uint16_t channels = 0;
  uint32_t sample_rate = 0;
  uint16_t bits = 0;           ///< Of a sample.
  uint64_t data_offset = 0;    ///< Where the samples begin.
  uint64_t frames = 0;         ///< Samples of each channel that are there, whatever is claimed.
  uint64_t claimed_bytes = 0;  ///< Size of the samples by the header.
  bool open_ended = false;  ///< Written to a stream: the claim is a placeholder and says nothing.

  uint64_t frame_bytes() const { return uint64_t{channels} * (bits / 8u); }
  double seconds() const { return static_cast<double>(frames) / sample_rate; }
  bool operator==(const WavInfo&) const = default;
};

/// Reads the header at the start of a file of `file_bytes` bytes, of which `head` are the first.
///
/// RIFF and RF64. Nothing where it is no wav file, or its samples begin beyond `head`; then
/// `problem`, where given, says what was expected and what was found. An extension that is not one
/// of the standard's keeps the format 0xfffe.
std::optional<WavInfo> parse_wav_info(std::span<const std::byte> head, uint64_t file_bytes,
                                      std::string* problem = nullptr);

/// The same of a file, by one read of its first 4 KiB. Nothing for any other kind of file.
std::optional<WavInfo> read_wav_info(const std::filesystem::path& path);

}  // namespace seda::audio
