// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/wav_info.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file_descriptor.h"

namespace seda::audio {
namespace {

constexpr size_t kChunkHeader = 8;
constexpr uint16_t kExtensible = 0xfffe;

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

bool read_format(const Head& head, uint64_t at, uint64_t size, WavInfo& info) {
  if (size < 16 || !head.has(at, 16)) return false;
  info.format = head.number<uint16_t>(at);
  info.channels = head.number<uint16_t>(at + 2);
  info.sample_rate = head.number<uint32_t>(at + 4);
  info.bits = head.number<uint16_t>(at + 14);
  if (info.format == kExtensible && size >= 26 && head.has(at, 26)) {
    info.format = head.number<uint16_t>(at + 24);
  }
  return info.channels > 0 && info.sample_rate > 0 && info.bits >= 8 && info.bits % 8 == 0;
}

void read_data(uint64_t at, uint64_t claimed, uint64_t file_bytes, WavInfo& info) {
  info.data_offset = at;
  const uint64_t there = file_bytes > at ? file_bytes - at : 0;
  const uint64_t frame = uint64_t{info.channels} * (info.bits / 8u);
  info.frames = std::min(claimed, there) / frame;
}

}  // namespace

std::optional<WavInfo> parse_wav_info(std::span<const std::byte> bytes, uint64_t file_bytes) {
  const Head head(bytes);
  if (!head.is(0, "RIFF") || !head.is(8, "WAVE")) return std::nullopt;
  WavInfo info;
  bool known = false;
  for (uint64_t at = 12; head.has(at, kChunkHeader);) {
    const uint64_t size = head.number<uint32_t>(at + 4);
    const uint64_t content = at + kChunkHeader;
    if (head.is(at, "fmt ")) {
      known = read_format(head, content, size, info);
      if (!known) return std::nullopt;
    }
    if (head.is(at, "data")) {
      if (!known) return std::nullopt;
      read_data(content, size, file_bytes, info);
      return info;
    }
    at = content + size + size % 2;
  }
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
