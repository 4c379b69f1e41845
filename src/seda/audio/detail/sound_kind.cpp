// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/sound_kind.h"

#include <cstring>
#include <span>
#include <string_view>

namespace seda::audio::detail {
namespace {

constexpr size_t kTagHeader = 10;
constexpr size_t kMagic = 12;

bool begins(std::span<const std::byte> bytes, std::string_view word) {
  return bytes.size() >= word.size() && std::memcmp(bytes.data(), word.data(), word.size()) == 0;
}

bool begins_like_wav(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic && (begins(bytes, "RIFF") || begins(bytes, "RF64")) &&
         begins(bytes.subspan(8), "WAVE");
}

bool begins_like_mpeg(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0xff} &&
         (bytes[1] & std::byte{0xe0}) == std::byte{0xe0};
}

}  // namespace

uint64_t tag_bytes(ClipFile& file) {
  const auto head = file.bytes(0, kTagHeader);
  if (head.size() < kTagHeader || !begins(head, "ID3")) return 0;
  uint64_t size = 0;
  for (const std::byte digit : head.last(4))
    size = size << 7 | static_cast<uint64_t>(digit & std::byte{0x7f});
  return kTagHeader + size;
}

SoundKind sound_kind(ClipFile& file) {
  const uint64_t tag = tag_bytes(file);
  const auto bytes = file.bytes(tag, kMagic);
  if (begins(bytes, "fLaC")) return SoundKind::flac;
  if (tag > 0 || begins_like_mpeg(bytes)) return SoundKind::mpeg;
  if (begins_like_wav(bytes)) return SoundKind::wav;
  return begins(bytes, "OggS") ? SoundKind::ogg : SoundKind::unknown;
}

}  // namespace seda::audio::detail
