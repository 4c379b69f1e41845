// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/traits.h"

#include <array>

namespace seda::text {
namespace {

constexpr Traits class_of(unsigned byte) {
  const auto is = [&](std::string_view set) {
    return set.find(static_cast<char>(byte)) != std::string_view::npos;
  };
  if (byte >= 0x80) return kBeyondAscii;
  if (byte < 0x20 || byte == 0x7f) return kControl;
  if (byte == ' ') return kSpace;
  if (byte >= '0' && byte <= '9') return kDigit;
  if (byte >= 'A' && byte <= 'Z') return kUpper;
  if (byte >= 'a' && byte <= 'z') return 0;
  if (byte == '.') return kPoint | kMark;
  if (is(",;:!?'\"()-")) return kMark;
  return kSymbol;
}

constexpr auto kClasses = [] {
  std::array<uint16_t, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte)
    table[byte] = static_cast<uint16_t>(class_of(byte));
  return table;
}();

constexpr Traits pair_traits(Traits before, Traits here) {
  Traits traits = 0;
  if ((before & kUpper) != 0 && (here & (kUpper | kPoint)) != 0) traits |= kUpperPair;
  if ((before & kSpace) != 0 && (here & (kSpace | kMark)) != 0) traits |= kLooseSpace | kRepeat;
  if ((before & kMark) != 0 && (here & kMark) != 0) traits |= kRepeat;
  return traits;
}

}  // namespace

Traits traits_of(std::string_view line) {
  Traits traits = 0;
  Traits before = kSpace;
  for (const char byte : line) {
    const Traits here = kClasses[static_cast<unsigned char>(byte)];
    traits |= here | pair_traits(before, here);
    before = here;
  }
  if ((before & kSpace) != 0) traits |= kLooseSpace;
  return traits;
}

}  // namespace seda::text
