// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/lab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"

namespace seda::diagnose {
namespace {

TEST(Lab, ReadsASettingAsAFileWould) {
  EXPECT_EQ(parse_setting("data.num_workers", "8"), config::Value(int64_t{8}));
  EXPECT_EQ(parse_setting("data.num_buckets", "auto"), config::Value());
  EXPECT_EQ(parse_setting("data.pin_memory", "true"), config::Value(true));
  EXPECT_EQ(parse_setting("data.preprocessing_mode", "precompute"),
            config::Value(std::string("precompute")));
  EXPECT_EQ(parse_setting("data.mel.n_mels", "80"), config::Value(int64_t{80}));
}

TEST(Lab, RefusesWhatTheKeyMayNotHold) {
  EXPECT_THROW(parse_setting("data.num_workers", "many"), Error);
  EXPECT_THROW(parse_setting("data.num_workers", "0"), Error);
}

TEST(Lab, ChangesOneKeyAndLeavesTheOriginal) {
  const config::Config before;
  const config::Config after = with_setting(before, "data.batch_size", "32");
  EXPECT_EQ(after.integer("data.batch_size"), 32);
  EXPECT_EQ(before.integer("data.batch_size"), 16);
  EXPECT_EQ(after.value("data.num_workers"), before.value("data.num_workers"));
}

}  // namespace
}  // namespace seda::diagnose
