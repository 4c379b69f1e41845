// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/format.h"

#include <gtest/gtest.h>

namespace seda::dataset {
namespace {

TEST(Format, WordsGoBothWays) {
  EXPECT_EQ(all_formats().size(), 7u);
  for (const Format format : all_formats())
    EXPECT_EQ(parse_format(to_string(format)), format);
}

TEST(Format, UnknownWordIsNone) {
  EXPECT_EQ(parse_format("lj"), std::nullopt);
  EXPECT_EQ(parse_format(""), std::nullopt);
}

}  // namespace
}  // namespace seda::dataset
