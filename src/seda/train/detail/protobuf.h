// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace seda::train::detail {

/// A protobuf message that is written field by field, in the order of the calls. A message within
/// one is written first, and added by its bytes.
class ProtobufMessage {
 public:
  ProtobufMessage& add_varint(int field, int64_t value);
  ProtobufMessage& add_float(int field, float value);
  ProtobufMessage& add_double(int field, double value);
  ProtobufMessage& add_bytes(int field, std::string_view bytes);

  /// Like `add_bytes`; readers refuse a message whose strings are not UTF-8, so other bytes become
  /// U+FFFD.
  ProtobufMessage& add_string(int field, std::string_view text);
  ProtobufMessage& add_message(int field, const ProtobufMessage& message);

  const std::string& bytes() const noexcept { return bytes_; }

 private:
  void append_key(int field, int wire_type);
  void append_varint(uint64_t value);

  std::string bytes_;
};

/// The text with U+FFFD in place of each byte that is not UTF-8.
std::string well_formed(std::string_view text);

}  // namespace seda::train::detail
