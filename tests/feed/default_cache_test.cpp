// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/default_cache.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace seda::feed {
namespace {

using ::seda::testing_support::TemporaryFolder;

TEST(DefaultCache, LiesInTheCorpus) {
  const TemporaryFolder corpus;
  EXPECT_EQ(default_cache(corpus.path()), corpus.path() / ".seda");
}

TEST(DefaultCache, OfAListOfClipsLiesBesideIt) {
  const TemporaryFolder corpus;
  std::ofstream(corpus.path() / "clips.json") << "{}";
  EXPECT_EQ(default_cache(corpus.path() / "clips.json"), corpus.path() / ".seda");
}

TEST(DefaultCache, OfAShardHasAFolderOfItsOwn) {
  const TemporaryFolder corpus;
  EXPECT_EQ(default_cache(corpus.path(), Shard{.index = 2, .count = 8}),
            corpus.path() / ".seda" / "shards" / "2-of-8");
}

}  // namespace
}  // namespace seda::feed
