// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "seda/base/hash.h"

namespace seda::cache {

/// What a record is found by: a hash of whatever it was made from.
using Key = Hash128;

/// What the bytes of a record are. The numbers are part of the format.
enum class DataType : uint8_t {
  raw = 0,  ///< Bytes that the cache knows nothing about; `dims` mean what the caller says.
  int8 = 1,
  uint8 = 2,
  int16 = 3,
  int32 = 4,
  int64 = 5,
  float16 = 6,
  bfloat16 = 7,
  float32 = 8,
  float64 = 9,
};

/// Bytes of one element; 0 for raw, nothing for a number that is no type.
std::optional<size_t> element_size(DataType type);
std::string_view name_of(DataType type);

/// Up to four sizes, outermost first.
struct Dims {
  static constexpr size_t kMost = 4;

  Dims() = default;
  /// More than four is an Error(internal).
  Dims(std::initializer_list<uint32_t> given);

  std::span<const uint32_t> span() const { return {sizes.data(), rank}; }
  uint32_t operator[](size_t i) const { return sizes[i]; }
  bool operator==(const Dims&) const = default;

  std::array<uint32_t, kMost> sizes{};  ///< Zero beyond the rank.
  uint8_t rank = 0;
};

/// Whether `bytes` are what a record of this shape has: always for raw, else the product of the
/// dims (1 for none) times the size of an element.
bool shape_fits(uint64_t bytes, const Dims& dims, DataType type);

/// What is stored under a key. A view: the bytes belong to the caller.
struct RecordView {
  std::span<const std::byte> bytes;
  Dims dims;
  DataType type = DataType::raw;
};

struct NewRecord {
  Key key;
  RecordView data;
};

/// Where a record lies: a part, by its own number, and a place in its index. Keeps its meaning when
/// the cache is opened again, until that part is collected: it is then a fault, never another
/// record.
struct Address {
  uint64_t part = 0;
  uint32_t index = 0;

  auto operator<=>(const Address&) const = default;
};

/// A record without its bytes.
struct Entry {
  Key key;
  Address address;
  uint64_t size = 0;  ///< Bytes.
  Dims dims;
  DataType type = DataType::raw;

  bool operator==(const Entry&) const = default;
};

/// A record that was read. The bytes lie in the mapped part (64-byte aligned, valid while the Cache
/// lives), or in `owned` where the cache was opened without mapping. Moves, does not copy.
struct Record {
  Record() = default;
  Record(Record&&) = default;
  Record& operator=(Record&&) = default;
  ~Record() = default;

  Entry entry;
  std::span<const std::byte> bytes;
  std::vector<std::byte> owned;

  /// The bytes as elements; `T` must have the size of the record's own.
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

}  // namespace seda::cache
