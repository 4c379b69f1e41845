// SPDX-License-Identifier: Apache-2.0
#include "seda/train/detail/crc32c.h"

#include <array>
#include <bit>

namespace seda::train::detail {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // reflected
constexpr uint32_t kMask = 0xa282ead8;

constexpr std::array<uint32_t, 256> kTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < table.size(); ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit)
      rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}();

}  // namespace

uint32_t crc32c(std::string_view bytes) noexcept {
  uint32_t rest = ~uint32_t{0};
  for (const char c : bytes)
    rest = kTable[(rest ^ static_cast<uint8_t>(c)) & 0xff] ^ (rest >> 8);
  return ~rest;
}

uint32_t masked_crc32c(std::string_view bytes) noexcept {
  return std::rotr(crc32c(bytes), 15) + kMask;
}

}  // namespace seda::train::detail
