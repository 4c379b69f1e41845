// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace seda::train::testing_support {

/// CRC-32C bit by bit, as its definition has it.
inline uint32_t naive_crc32c(std::string_view bytes) {
  uint32_t rest = 0xffffffff;
  for (const char c : bytes) {
    rest ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit)
      rest = (rest & 1) != 0 ? (rest >> 1) ^ 0x82f63b78 : rest >> 1;
  }
  return rest ^ 0xffffffff;
}

inline uint32_t naive_mask(uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8;
}

template <typename T>
T number_at(std::string_view bytes, size_t at = 0) {
  T value{};
  if (bytes.size() < at + sizeof(value)) throw std::runtime_error("number is cut");
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

/// Contents of the records of a file; throws where a checksum is wrong or the last one is cut.
inline std::vector<std::string> read_records(std::string_view file) {
  std::vector<std::string> records;
  while (!file.empty()) {
    const auto length = number_at<uint64_t>(file);
    if (file.size() < length + 16) throw std::runtime_error("record is cut");
    const auto content = file.substr(12, length);
    const bool right =
        number_at<uint32_t>(file, 8) == naive_mask(naive_crc32c(file.substr(0, 8))) &&
        number_at<uint32_t>(file, 12 + length) == naive_mask(naive_crc32c(content));
    if (!right) throw std::runtime_error("checksum is wrong");
    records.emplace_back(content);
    file.remove_prefix(16 + length);
  }
  return records;
}

/// A protobuf message taken apart: each field's last value, numbers in their own bytes.
class Message {
 public:
  explicit Message(std::string_view bytes) {
    while (!bytes.empty())
      read_field(bytes);
  }

  bool has(int field) const { return fields_.contains(field); }
  size_t size() const { return fields_.size(); }
  const std::string& bytes(int field) const { return fields_.at(field); }
  Message message(int field) const { return Message(bytes(field)); }
  int64_t varint(int field) const { return number_at<int64_t>(bytes(field)); }
  float single(int field) const { return number_at<float>(bytes(field)); }
  double real(int field) const { return number_at<double>(bytes(field)); }

 private:
  static uint64_t take_varint(std::string_view& bytes) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = number_at<uint8_t>(bytes);
      bytes.remove_prefix(1);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }

  static std::string take(std::string_view& bytes, size_t size) {
    if (bytes.size() < size) throw std::runtime_error("field is cut");
    std::string taken(bytes.substr(0, size));
    bytes.remove_prefix(size);
    return taken;
  }

  static std::string take_value(std::string_view& bytes, uint64_t wire_type) {
    switch (wire_type) {
      case 0: {
        const uint64_t value = take_varint(bytes);
        return {reinterpret_cast<const char*>(&value), sizeof(value)};
      }
      case 1:
        return take(bytes, 8);
      case 2: {
        const uint64_t size = take_varint(bytes);
        return take(bytes, size);
      }
      case 5:
        return take(bytes, 4);
      default:
        throw std::runtime_error("wire type is unknown");
    }
  }

  void read_field(std::string_view& bytes) {
    const uint64_t key = take_varint(bytes);
    fields_[static_cast<int>(key >> 3)] = take_value(bytes, key & 7);
  }

  std::map<int, std::string> fields_;
};

}  // namespace seda::train::testing_support
