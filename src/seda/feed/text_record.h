// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/text/frontend.h"

namespace seda::feed {

/// A line as it lies in the cache. Views: the bytes belong to the cache.
struct TextRecord {
  std::span<const int32_t> tokens;
  std::string_view language;
  float confidence = 0;
  std::string_view normalized;
  std::string_view phonemes;
  std::vector<std::string_view> unknown;  ///< Symbols that became the unknown token.
  uint32_t emoji = 0;
  uint32_t dropped = 0;
};

/// Bytes of a record (docs/cache_format.md, "text").
std::string encode_text_record(const text::Line& line);

/// The record, or nothing where the bytes are none. They must be aligned to four.
std::optional<TextRecord> decode_text_record(std::span<const std::byte> bytes);

/// The tokens of a record alone, without allocating; nothing where the bytes are none.
std::optional<std::span<const int32_t>> text_tokens(std::span<const std::byte> bytes);

/// Version of the layout; part of the table's description.
constexpr int kTextRecordVersion = 1;

}  // namespace seda::feed
