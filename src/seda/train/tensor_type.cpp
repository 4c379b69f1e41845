// SPDX-License-Identifier: Apache-2.0
#include "seda/train/tensor_type.h"

#include <algorithm>
#include <array>

namespace seda::train {
namespace {

struct Row {
  std::string_view name;
  size_t size;
};

constexpr std::array<Row, kTensorTypes> kRows = {{{"BOOL", 1},
                                                  {"U8", 1},
                                                  {"I8", 1},
                                                  {"F8_E5M2", 1},
                                                  {"F8_E4M3", 1},
                                                  {"I16", 2},
                                                  {"U16", 2},
                                                  {"F16", 2},
                                                  {"BF16", 2},
                                                  {"I32", 4},
                                                  {"U32", 4},
                                                  {"F32", 4},
                                                  {"F64", 8},
                                                  {"I64", 8},
                                                  {"U64", 8}}};
static_assert(std::ranges::is_sorted(kRows, {}, &Row::size));

const Row& row_of(TensorType type) noexcept {
  return kRows[static_cast<size_t>(type)];
}

}  // namespace

std::string_view name_of(TensorType type) noexcept {
  return row_of(type).name;
}

size_t size_of(TensorType type) noexcept {
  return row_of(type).size;
}

std::optional<TensorType> tensor_type(std::string_view name) noexcept {
  const auto* row = std::ranges::find(kRows, name, &Row::name);
  if (row == kRows.end()) return std::nullopt;
  return static_cast<TensorType>(row - kRows.begin());
}

}  // namespace seda::train
