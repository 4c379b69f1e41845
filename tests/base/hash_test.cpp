// SPDX-License-Identifier: Apache-2.0
#include "seda/base/hash.h"

#include <gtest/gtest.h>

namespace seda {
namespace {

// Published by the xxHash project for the empty input; a change would lose every cache.
TEST(Hash, OfNothingIsThePublishedValue) {
  EXPECT_EQ(hash64(std::string_view{}), 0x2d06800538d394c2u);
  EXPECT_EQ(hash128(std::string_view{}).hex(), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, PiecesEqualTheWhole) {
  const std::string text(1000, 'x');
  for (const size_t cut :
       {size_t{0}, size_t{1}, size_t{239}, size_t{240}, size_t{512}, text.size()}) {
    Hasher hasher;
    hasher.add(std::string_view(text).substr(0, cut));
    hasher.add(std::string_view(text).substr(cut));
    EXPECT_EQ(hasher.digest(), hash128(text)) << cut;
  }
}

TEST(Hash, SeedAndContentBothCount) {
  EXPECT_NE(hash64("a", 0), hash64("a", 1));
  EXPECT_NE(hash64("a"), hash64("b"));
  const std::string_view text = "seda";
  EXPECT_EQ(hash64(text), hash64(std::as_bytes(std::span(text))));
  EXPECT_EQ(hash128(text), hash128(std::as_bytes(std::span(text))));
}

}  // namespace
}  // namespace seda
