// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/record.h"

#include <algorithm>

#include "seda/base/error.h"

namespace seda::cache {
namespace {

struct TypeFacts {
  std::string_view name;
  size_t size;
};

constexpr std::array<TypeFacts, 10> kTypes = {{{"raw", 0},
                                               {"int8", 1},
                                               {"uint8", 1},
                                               {"int16", 2},
                                               {"int32", 4},
                                               {"int64", 8},
                                               {"float16", 2},
                                               {"bfloat16", 2},
                                               {"float32", 4},
                                               {"float64", 8}}};

const TypeFacts* facts_of(DataType type) {
  const auto number = static_cast<size_t>(type);
  return number < kTypes.size() ? &kTypes[number] : nullptr;
}

}  // namespace

std::optional<size_t> element_size(DataType type) {
  const TypeFacts* facts = facts_of(type);
  return facts != nullptr ? std::optional(facts->size) : std::nullopt;
}

std::string_view name_of(DataType type) {
  const TypeFacts* facts = facts_of(type);
  return facts != nullptr ? facts->name : "unknown";
}

Dims::Dims(std::initializer_list<uint32_t> given) {
  if (given.size() > kMost) {
    throw_error(ErrorKind::internal, "a record has at most {} dims, {} were given", kMost,
                given.size());
  }
  std::ranges::copy(given, sizes.begin());
  rank = static_cast<uint8_t>(given.size());
}

bool shape_fits(uint64_t bytes, const Dims& dims, DataType type) {
  const auto size = element_size(type);
  if (!size) return false;
  if (*size == 0) return true;
  uint64_t expected = *size;
  for (const uint32_t dim : dims.span()) {
    if (__builtin_mul_overflow(expected, uint64_t{dim}, &expected)) return false;
  }
  return expected == bytes;
}

}  // namespace seda::cache
