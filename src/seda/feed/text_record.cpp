// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/text_record.h"

#include <cstring>

namespace seda::feed {
namespace {

/// Stands before the tokens; little-endian, like all of the cache.
struct Header {
  uint32_t tokens = 0;    // count
  uint32_t language = 0;  // bytes, of this and the next three
  uint32_t normalized = 0;
  uint32_t phonemes = 0;
  uint32_t unknown = 0;
  float confidence = 0;
  uint32_t emoji = 0;
  uint32_t dropped = 0;
};
static_assert(sizeof(Header) == 32);

/// The header, where the sizes it names are those of the bytes.
std::optional<Header> read_header(std::span<const std::byte> bytes) {
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const uint64_t expected = sizeof header + uint64_t{header.tokens} * sizeof(int32_t) +
                            header.language + uint64_t{header.normalized} + header.phonemes +
                            header.unknown;
  return expected == bytes.size() ? std::optional(header) : std::nullopt;
}

std::span<const int32_t> tokens_behind(const Header& header, std::span<const std::byte> bytes) {
  const std::byte* tokens = bytes.data() + sizeof header;
  return {reinterpret_cast<const int32_t*>(tokens), header.tokens};
}

template <typename T>
void append_bytes(std::string& out, const T* data, size_t count) {
  out.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}

/// Each symbol followed by a line feed, which no symbol holds.
std::string joined(const std::vector<std::string>& symbols) {
  std::string out;
  for (const std::string& symbol : symbols) {
    out += symbol;
    out += '\n';
  }
  return out;
}

std::vector<std::string_view> parted(std::string_view symbols) {
  std::vector<std::string_view> out;
  while (!symbols.empty()) {
    const size_t end = symbols.find('\n');
    out.push_back(symbols.substr(0, end));
    if (end == std::string_view::npos) break;
    symbols.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

std::string encode_text_record(const text::Line& line) {
  const std::string unknown = joined(line.encoded.unknown);
  Header header;
  header.tokens = static_cast<uint32_t>(line.encoded.tokens.size());
  header.language = static_cast<uint32_t>(line.language.code.size());
  header.normalized = static_cast<uint32_t>(line.normalized.size());
  header.phonemes = static_cast<uint32_t>(line.phonemes.size());
  header.unknown = static_cast<uint32_t>(unknown.size());
  header.confidence = static_cast<float>(line.language.confidence);
  header.emoji = line.emoji;
  header.dropped = line.dropped;
  std::string out;
  out.reserve(sizeof header + line.encoded.tokens.size() * sizeof(int32_t) +
              line.language.code.size() + line.normalized.size() + line.phonemes.size() +
              unknown.size());
  append_bytes(out, &header, 1);
  append_bytes(out, line.encoded.tokens.data(), line.encoded.tokens.size());
  out += line.language.code;
  out += line.normalized;
  out += line.phonemes;
  out += unknown;
  return out;
}

std::optional<std::span<const int32_t>> text_tokens(std::span<const std::byte> bytes) {
  const auto header = read_header(bytes);
  if (!header) return std::nullopt;
  return tokens_behind(*header, bytes);
}

std::optional<TextRecord> decode_text_record(std::span<const std::byte> bytes) {
  const auto header = read_header(bytes);
  if (!header) return std::nullopt;
  TextRecord record;
  record.tokens = tokens_behind(*header, bytes);
  const std::byte* at = bytes.data() + sizeof(Header) + record.tokens.size_bytes();
  const auto take = [&](uint32_t size) {
    const std::string_view piece(reinterpret_cast<const char*>(at), size);
    at += size;
    return piece;
  };
  record.language = take(header->language);
  record.normalized = take(header->normalized);
  record.phonemes = take(header->phonemes);
  record.unknown = parted(take(header->unknown));
  record.confidence = header->confidence;
  record.emoji = header->emoji;
  record.dropped = header->dropped;
  return record;
}

}  // namespace seda::feed
