// SPDX-License-Identifier: Apache-2.0
#include "seda/base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace seda {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Fault{"n", "odd", "expected an even number"};
  return n / 2;
}

TEST(Result, HoldsValue) {
  const auto result = half(4);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value(), 2);
  EXPECT_THROW(result.fault(), Error);
}

TEST(Result, HoldsFault) {
  const auto result = half(3);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.fault().code, "odd");
  EXPECT_THROW(result.value(), Error);
}

TEST(Result, ValueCanBeMovedOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

}  // namespace
}  // namespace seda
