// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/record.h"

#include <gtest/gtest.h>

#include "seda/base/error.h"

namespace seda::cache {
namespace {

TEST(Dims, HoldsUpToFour) {
  const Dims dims{2, 3};
  EXPECT_EQ(dims.rank, 2);
  EXPECT_EQ(dims[1], 3U);
  EXPECT_EQ(dims.span().size(), 2U);
  EXPECT_TRUE(Dims().span().empty());
  EXPECT_NE((Dims{2, 0}), (Dims{2}));
  EXPECT_THROW((Dims{1, 2, 3, 4, 5}), Error);
}

TEST(ShapeFits, TypedRecordsHaveAsManyBytesAsTheirShape) {
  EXPECT_TRUE(shape_fits(24, {2, 3}, DataType::float32));
  EXPECT_FALSE(shape_fits(23, {2, 3}, DataType::float32));
  EXPECT_TRUE(shape_fits(8, {}, DataType::float64));
  EXPECT_TRUE(shape_fits(0, {5, 0}, DataType::int16));
  EXPECT_FALSE(shape_fits(4, {5, 0}, DataType::int16));
}

TEST(ShapeFits, RawBytesFitAnyShape) {
  EXPECT_TRUE(shape_fits(7, {2, 3}, DataType::raw));
}

TEST(ShapeFits, ProductsThatOverflowDoNotFit) {
  const uint32_t most = 0xffff'ffff;
  EXPECT_FALSE(shape_fits(0, {most, most, most, most}, DataType::int64));
  EXPECT_FALSE(shape_fits(0, {1U << 31, 1U << 31, 8}, DataType::int8));
}

TEST(DataType, KnowsItsElementsAndNothingElse) {
  EXPECT_EQ(element_size(DataType::raw), 0U);
  EXPECT_EQ(element_size(DataType::bfloat16), 2U);
  EXPECT_EQ(element_size(DataType::float64), 8U);
  EXPECT_FALSE(element_size(static_cast<DataType>(10)).has_value());
  EXPECT_EQ(name_of(DataType::int32), "int32");
  EXPECT_EQ(name_of(static_cast<DataType>(200)), "unknown");
  EXPECT_FALSE(shape_fits(1, {}, static_cast<DataType>(10)));
}

}  // namespace
}  // namespace seda::cache
