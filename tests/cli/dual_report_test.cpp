// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/dual_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace seda::cli {
namespace {

using testing::HasSubstr;

TEST(DualReport, ARoleWithoutABudgetHasNone) {
  train::DualProfile profile;
  profile.roles.resize(2);
  profile.roles[1].budget_bytes = uint64_t{8} << 30;
  const Json json = to_json(profile);
  EXPECT_TRUE(json["gpus"][0]["budget_bytes"].is_null());
  EXPECT_EQ(json["gpus"][1]["budget_bytes"], uint64_t{8} << 30);
  const std::string text = report_text(profile);
  EXPECT_THAT(text, HasSubstr("budget none\n"));
  EXPECT_THAT(text, HasSubstr("budget 8.0 GiB\n"));
}

}  // namespace
}  // namespace seda::cli
