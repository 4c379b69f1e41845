// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "seda/train/safetensors.h"

namespace seda::train::testing_support {

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// `length` as eight bytes, the lowest first.
inline std::string eight_bytes(uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(length >> (8 * i));
  return bytes;
}

/// A file of that header, whatever it says, and those elements.
inline std::string file_of(std::string_view header, std::string_view data = "") {
  return eight_bytes(header.size()) + std::string(header) + std::string(data);
}

}  // namespace seda::train::testing_support
