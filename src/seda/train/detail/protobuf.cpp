// SPDX-License-Identifier: Apache-2.0
#include "seda/train/detail/protobuf.h"

#include <bit>

#include "seda/base/utf8.h"

namespace seda::train::detail {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as memory has them");

constexpr int kVarint = 0;
constexpr int kFixed64 = 1;
constexpr int kLengthFirst = 2;
constexpr int kFixed32 = 5;

template <typename T>
void append_memory(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace

void ProtobufMessage::append_varint(uint64_t value) {
  constexpr uint64_t kMore = 0x80;
  for (; value >= kMore; value >>= 7)
    bytes_ += static_cast<char>(value | kMore);
  bytes_ += static_cast<char>(value);
}

void ProtobufMessage::append_key(int field, int wire_type) {
  append_varint(static_cast<uint64_t>(field << 3 | wire_type));
}

ProtobufMessage& ProtobufMessage::add_varint(int field, int64_t value) {
  append_key(field, kVarint);
  append_varint(static_cast<uint64_t>(value));
  return *this;
}

ProtobufMessage& ProtobufMessage::add_float(int field, float value) {
  append_key(field, kFixed32);
  append_memory(bytes_, value);
  return *this;
}

ProtobufMessage& ProtobufMessage::add_double(int field, double value) {
  append_key(field, kFixed64);
  append_memory(bytes_, value);
  return *this;
}

ProtobufMessage& ProtobufMessage::add_bytes(int field, std::string_view bytes) {
  append_key(field, kLengthFirst);
  append_varint(bytes.size());
  bytes_ += bytes;
  return *this;
}

ProtobufMessage& ProtobufMessage::add_string(int field, std::string_view text) {
  return add_bytes(field, well_formed(text));
}

ProtobufMessage& ProtobufMessage::add_message(int field, const ProtobufMessage& message) {
  return add_bytes(field, message.bytes());
}

std::string well_formed(std::string_view text) {
  if (!find_invalid_utf8(text)) return std::string(text);
  std::string out;
  for (size_t at = 0; at < text.size();)
    append_utf8(out, decode_utf8(text, at));
  return out;
}

}  // namespace seda::train::detail
