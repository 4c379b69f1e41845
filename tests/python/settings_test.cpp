// SPDX-License-Identifier: Apache-2.0
#include "seda/python/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::python {
namespace {

using config::Scalar;
using testing::HasSubstr;
using testing_support::error_message;

TEST(Settings, SetsAKeyByItsPathOrOldPath) {
  config::Config config;
  set_key(config, "data.batch_size", Scalar("24"), "batch_size");
  EXPECT_EQ(config.integer("data.batch_size"), 24);
  EXPECT_EQ(config.source("data.batch_size").text(), "batch_size");
  set_key(config, "data.use_tf_native_loading", Scalar("false"), "config");
  EXPECT_FALSE(config.boolean("data.native_loading"));
}

TEST(Settings, NothingIsAutomaticWhereThatMayBe) {
  config::Config config;
  set_key(config, "data.num_workers", Scalar("3"), "num_workers");
  set_key(config, "data.num_workers", {}, "num_workers");
  EXPECT_TRUE(config.is_auto("data.num_workers"));
  EXPECT_THAT(error_message([&] { set_key(config, "data.batch_size", {}, "batch_size"); }),
              HasSubstr("batch_size: "));
}

TEST(Settings, ListsAreOfScalars) {
  config::Config config;
  set_key(config, "data.text.cleaners", std::vector{Scalar("numbers", true)}, "config");
  EXPECT_THAT(config.list("data.text.cleaners"), testing::ElementsAre("numbers"));
}

TEST(Settings, MistakesNameTheUsersOwnWord) {
  config::Config config;
  EXPECT_THAT(error_message([&] { set_key(config, "data.batch_sise", Scalar("3"), "config[…]"); }),
              HasSubstr("config[…]: unknown key data.batch_sise; did you mean data.batch_size?"));
  EXPECT_THAT(error_message([&] { set_key(config, "data.mel", Scalar("3"), "config[…]"); }),
              HasSubstr("config[…]: expected the keys of the section data.mel, found a value"));
  EXPECT_THAT(error_message([&] { set_key(config, "data.batch_size", Scalar("0"), "batch_size"); }),
              HasSubstr("batch_size: expected an integer from 1 to 4096"));
}

TEST(Settings, DevicesAreReadAsEverywhere) {
  config::Config config;
  for (const auto& [given, held] :
       {std::pair{"cpu", "cpu"}, {"cuda", "0"}, {"cuda:3", "3"}, {"2", "2"}, {"CPU", "cpu"}}) {
    set_device(config, "data.model_gpu", given, "device");
    EXPECT_EQ(config.text("data.model_gpu"), held);
  }
  EXPECT_THAT(error_message([&] { set_device(config, "data.model_gpu", "tpu", "device"); }),
              HasSubstr("device: expected the number of a GPU or cpu, or auto, found tpu"));
  set_device(config, "data.model_gpu", "auto", "device");
  EXPECT_TRUE(config.is_auto("data.model_gpu"));
}

}  // namespace
}  // namespace seda::python
