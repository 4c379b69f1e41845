// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace seda::train {

/// Type of a stored tensor's elements. The order is that of safetensors' own list, by which its
/// files are laid out: sizes never fall.
enum class TensorType : uint8_t {
  boolean,
  u8,
  i8,
  f8_e5m2,
  f8_e4m3,
  i16,
  u16,
  f16,
  bf16,
  i32,
  u32,
  f32,
  f64,
  i64,
  u64,
};

constexpr size_t kTensorTypes = 15;

/// As files spell it: "BF16".
std::string_view name_of(TensorType type) noexcept;

/// Bytes of one element.
size_t size_of(TensorType type) noexcept;

/// The type that files spell so, case counting; nothing for any other name.
std::optional<TensorType> tensor_type(std::string_view name) noexcept;

}  // namespace seda::train
