// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/wav_info.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file_descriptor.h"

namespace seda::audio {
namespace {

constexpr size_t kChunkHeader = 8;
constexpr uint16_t kExtensible = 0xfffe;

/// What follows the two bytes of the format in the name of a standard extension.
constexpr std::string_view kStandardExtension{
    "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71", 14};

/// Sizes that programs write where they cannot go back to fill in the true one: ffmpeg and mpg123,
/// sox, arecord (two versions).
constexpr std::array<uint64_t, 4> kPlaceholders = {0xffffffff, 0x7ffff000, 0x7fffffff, 0x80000000};

/// Numbers and words of a header, none of them beyond its end.
class Head {
 public:
  explicit Head(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool has(uint64_t at, uint64_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }

  template <typename T>
  T number(uint64_t at) const {
    T value{};
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }

  bool is(uint64_t at, std::string_view word) const {
    return has(at, word.size()) && std::memcmp(bytes_.data() + at, word.data(), word.size()) == 0;
  }

 private:
  std::span<const std::byte> bytes_;
};

/// Walks the chunks of a header until the samples begin.
class Parser {
 public:
  Parser(std::span<const std::byte> head, uint64_t file_bytes)
      : head_(head), file_bytes_(file_bytes) {}

  /// True where `info` is complete, else `problem` says why not.
  bool parse();

  WavInfo info;
  std::string problem;

 private:
  bool fail(std::string why) {
    problem = std::move(why);
    return false;
  }
  bool read_format(uint64_t at, uint64_t size);
  uint64_t padded_bytes(uint64_t at) const;
  void read_data(uint64_t at, uint64_t size);
  bool is_open_ended(uint64_t size, uint64_t there) const;
  uint64_t after(uint64_t at, uint64_t size) const;

  Head head_;
  uint64_t file_bytes_;
  uint64_t long_size_ = 0;  // of the samples, from RF64's own chunk
};

/// Bytes that each sample of plain numbers stands in, where they are more than its bits fill and
/// the two sizes of a frame say so alike; else 0.
uint64_t Parser::padded_bytes(uint64_t at) const {
  const uint64_t rate_bytes = head_.number<uint32_t>(at + 8);
  const uint64_t frame_bytes = head_.number<uint16_t>(at + 12);
  const bool plain = info.format == 1 || info.format == 3;
  const bool agreed = rate_bytes == frame_bytes * info.sample_rate;
  const bool padded = frame_bytes > info.frame_bytes() && frame_bytes % info.channels == 0;
  return plain && agreed && padded ? frame_bytes / info.channels : 0;
}

bool Parser::read_format(uint64_t at, uint64_t size) {
  if (size < 16 || !head_.has(at, 16)) {
    return fail(fmt::format("expected a fmt chunk of at least 16 bytes, found {}", size));
  }
  info.format = head_.number<uint16_t>(at);
  info.channels = head_.number<uint16_t>(at + 2);
  info.sample_rate = head_.number<uint32_t>(at + 4);
  info.bits = head_.number<uint16_t>(at + 14);
  if (info.format == kExtensible && size >= 40 && head_.is(at + 26, kStandardExtension)) {
    info.format = head_.number<uint16_t>(at + 24);
  }
  if (info.channels == 0 || info.sample_rate == 0) {
    return fail(fmt::format("expected channels and a rate above 0, found {} at {} Hz",
                            info.channels, info.sample_rate));
  }
  if (const uint64_t place = padded_bytes(at); place != 0) {
    return fail(
        fmt::format("expected samples that fill their bytes, found {} bits in {} bytes each",
                    info.bits, place));
  }
  const bool whole = info.bits >= 8 && info.bits % 8 == 0;
  return whole || fail(fmt::format("expected samples of whole bytes, found {} bits", info.bits));
}

/// No size, though there are bytes that the file as a whole does not claim either; or a placeholder
/// that is more than there is.
bool Parser::is_open_ended(uint64_t size, uint64_t there) const {
  if (size == 0) return there > 0 && head_.number<uint32_t>(4) + uint64_t{8} < file_bytes_;
  return size > there && std::ranges::find(kPlaceholders, size) != kPlaceholders.end();
}

void Parser::read_data(uint64_t at, uint64_t size) {
  info.data_offset = at;
  info.claimed_bytes = long_size_ > 0 ? long_size_ : size;
  const uint64_t there = file_bytes_ > at ? file_bytes_ - at : 0;
  info.open_ended = is_open_ended(info.claimed_bytes, there);
  const uint64_t bytes = info.open_ended ? there : std::min(info.claimed_bytes, there);
  info.frames = bytes / info.frame_bytes();
}

/// Chunks begin at even places; some writers forget.
uint64_t Parser::after(uint64_t at, uint64_t size) const {
  const uint64_t end = at + size;
  return size % 2 == 0 || head_.is(end, "data") || head_.is(end, "fmt ") ? end : end + 1;
}

bool Parser::parse() {
  if (!(head_.is(0, "RIFF") || head_.is(0, "RF64")) || !head_.is(8, "WAVE")) {
    return fail("expected RIFF and WAVE, found other words");
  }
  bool known = false;
  for (uint64_t at = 12; head_.has(at, kChunkHeader);) {
    const uint64_t size = head_.number<uint32_t>(at + 4);
    const uint64_t content = at + kChunkHeader;
    if (head_.is(0, "RF64") && head_.is(at, "ds64") && head_.has(content, 16)) {
      long_size_ = head_.number<uint64_t>(content + 8);
    }
    if (head_.is(at, "fmt ")) {
      known = read_format(content, size);
      if (!known) return false;
    }
    if (head_.is(at, "data")) {
      if (!known) return fail("expected a fmt chunk before the samples, found none");
      read_data(content, size);
      return true;
    }
    at = after(content, size);
  }
  return fail("expected a data chunk, found none");
}

}  // namespace

std::optional<WavInfo> parse_wav_info(std::span<const std::byte> head, uint64_t file_bytes,
                                      std::string* problem) {
  Parser parser(head, file_bytes);
  if (parser.parse()) return parser.info;
  if (problem != nullptr) *problem = std::move(parser.problem);
  return std::nullopt;
}

std::optional<WavInfo> read_wav_info(const std::filesystem::path& path) {
  try {
    struct stat status{};
    const FileDescriptor file = open_regular_file(path, status);
    std::array<std::byte, 4096> head{};
    const ssize_t got = pread(file.get(), head.data(), head.size(), 0);
    if (got <= 0) return std::nullopt;
    return parse_wav_info(std::span(head).first(static_cast<size_t>(got)),
                          static_cast<uint64_t>(status.st_size));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace seda::audio
