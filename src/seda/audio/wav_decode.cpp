// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/wav_decode.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "seda/base/error.h"

namespace seda::audio {
namespace {

static_assert(std::endian::native == std::endian::little, "wav is read as memory holds it");

constexpr uint16_t kIntegers = 1;
constexpr uint16_t kFloats = 3;

template <typename T>
void decode(std::span<const std::byte> bytes, std::span<float> out, float scale) {
  for (size_t i = 0; i < out.size(); ++i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    out[i] = static_cast<float>(value) * scale;
  }
}

void decode_8(std::span<const std::byte> bytes, std::span<float> out) {
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float>(static_cast<int>(bytes[i]) - 128) * 0x1p-7F;
}

void decode_24(std::span<const std::byte> bytes, std::span<float> out) {
  for (size_t i = 0; i < out.size(); ++i) {
    const std::byte* at = bytes.data() + 3 * i;
    const uint32_t top = static_cast<uint32_t>(at[2]) << 24 | static_cast<uint32_t>(at[1]) << 16 |
                         static_cast<uint32_t>(at[0]) << 8;
    out[i] = static_cast<float>(static_cast<int32_t>(top)) * 0x1p-31F;
  }
}

void decode_integers(int bits, std::span<const std::byte> bytes, std::span<float> out) {
  if (bits == 8) return decode_8(bytes, out);
  if (bits == 16) return decode<int16_t>(bytes, out, 0x1p-15F);
  if (bits == 24) return decode_24(bytes, out);
  decode<int32_t>(bytes, out, 0x1p-31F);
}

}  // namespace

bool is_linear(const WavInfo& info) {
  if (info.format == kIntegers) return info.bits <= 32;
  return info.format == kFloats && (info.bits == 32 || info.bits == 64);
}

void decode_wav(const WavInfo& info, std::span<const std::byte> bytes, std::span<float> out) {
  if (!is_linear(info) || bytes.size() != out.size() * (info.bits / 8u)) {
    throw_error(ErrorKind::internal, "wav: {} bytes are not {} samples of {} bits (format {})",
                bytes.size(), out.size(), info.bits, info.format);
  }
  if (info.format == kIntegers) return decode_integers(info.bits, bytes, out);
  if (info.bits == 32) return decode<float>(bytes, out, 1);
  decode<double>(bytes, out, 1);
}

}  // namespace seda::audio
