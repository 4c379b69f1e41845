// SPDX-License-Identifier: Apache-2.0
#include "seda/config/suggest.h"

#include <gtest/gtest.h>

#include "seda/config/config.h"

namespace seda::config {
namespace {

TEST(MeantName, IsTheOneNearInTheSameSection) {
  EXPECT_EQ(meant_name("data.batch_sise", false), "batch_size");
  EXPECT_EQ(meant_name("data.Num-Workers", false), "num_workers");
  EXPECT_EQ(meant_name("data.mel.f_max", false), "fmax");
  EXPECT_EQ(meant_name("trainig", true), "training");
  EXPECT_EQ(meant_name("data.use_tf_native_loding", false), "use_tf_native_loading") << "old names";
}

TEST(MeantName, IsNoneWhereNothingIsNearOrTwoAreAsNear) {
  EXPECT_EQ(meant_name("data.shuffle", false), std::nullopt);
  EXPECT_EQ(meant_name("training.beta", false), std::nullopt) << "beta1 or beta2";
  EXPECT_EQ(meant_name("training.batch_size", false), std::nullopt) << "of another section";
  EXPECT_EQ(meant_name(std::string(4000, 'a'), false), std::nullopt);
}

TEST(MeantName, KeepsKeysAndSectionsApart) {
  EXPECT_EQ(meant_name("data.mell", true), "mel");
  EXPECT_EQ(meant_name("data.mell", false), std::nullopt);
}

TEST(ParseConfig, ListsAsManyProblemsAsAskedFor) {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "unknown_" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(parse_config(text, "seda.yaml").problems.problems().size(), ProblemList::kLimit);
  EXPECT_EQ(parse_config(text, "seda.yaml").problems.left_out(), 40u);
  EXPECT_EQ(parse_config(text, "seda.yaml", 1000).problems.problems().size(), 60u);
}

}  // namespace
}  // namespace seda::config
