// SPDX-License-Identifier: Apache-2.0
#include "seda/train/tensor_type.h"

#include <gtest/gtest.h>

namespace seda::train {
namespace {

TEST(TensorType, NamesLeadBackToTheirTypes) {
  for (size_t i = 0; i < kTensorTypes; ++i) {
    const auto type = static_cast<TensorType>(i);
    EXPECT_EQ(tensor_type(name_of(type)), type) << name_of(type);
  }
}

TEST(TensorType, SizesAreThoseOfTheNames) {
  EXPECT_EQ(size_of(TensorType::boolean), 1u);
  for (size_t i = 1; i < kTensorTypes; ++i) {
    const auto type = static_cast<TensorType>(i);
    const std::string digits(name_of(type).substr(name_of(type).find_first_of("0123456789")));
    EXPECT_EQ(size_of(type) * 8, std::stoul(digits)) << name_of(type);
  }
}

TEST(TensorType, OtherNamesAreNone) {
  for (const char* name : {"", "f32", "F32 ", "F4", "float32", "C64"})
    EXPECT_EQ(tensor_type(name), std::nullopt) << name;
}

}  // namespace
}  // namespace seda::train
