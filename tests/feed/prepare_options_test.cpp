// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare_options.h"

#include <gtest/gtest.h>

#include "tests/support/fake_backend.h"

namespace seda::feed {
namespace {

using testing_support::FakePlatform;

config::Config config_of(const std::string& yaml) {
  const auto reading = config::parse_config(yaml, "seda.yaml");
  EXPECT_EQ(reading.problems.text(), "");
  return reading.config;
}

TEST(PrepareOptions, TakeTheKeysOfTheCorpus) {
  const auto options = prepare_options(config_of("data: {cache_dir: c, format: vctk, num_workers: "
                                                 "3, validation_share: 0.1, validation_list: l, "
                                                 "preprocessing_mode: on_the_fly, hash: content}"),
                                       "voice");
  EXPECT_EQ(options.corpus, "voice");
  EXPECT_EQ(options.cache, "c");
  EXPECT_EQ(options.read, (dataset::ReadOptions{.format = dataset::Format::vctk,
                                                .validation_share = 0.1,
                                                .validation_list = "l",
                                                .threads = 3}));
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.audio.kind, AudioKind::pcm16);
  EXPECT_EQ(options.audio.identity, FileIdentity::content);
  EXPECT_FALSE(options.force);
}

TEST(PrepareOptions, KeepSamplesWhereThereIsAGpuUnlessTold) {
  const FakePlatform none({.devices = 0});
  const FakePlatform one({.devices = 1});
  const auto kind = [](const std::string& yaml, const FakePlatform& machine) {
    return prepare_options(config_of(yaml), "voice", &machine.platform).audio.kind;
  };
  EXPECT_EQ(kind("data: {batch_size: 16}", none), AudioKind::mel);
  EXPECT_EQ(kind("data: {batch_size: 16}", one), AudioKind::pcm16);
  EXPECT_EQ(kind("data: {preprocessing_mode: precompute}", one), AudioKind::mel);
}

TEST(OpenOptions, TakeTheKeysOfTheCache) {
  const FakePlatform none({.devices = 0});
  const auto usual = open_options(config_of("data: {batch_size: 16}"), "voice", &none.platform);
  EXPECT_TRUE(usual.use_cache && usual.memory_mapping && !usual.verify);
  const auto other =
      open_options(config_of("data: {enable_memory_mapping: false, cache_verification: true}"),
                   "voice", &none.platform);
  EXPECT_FALSE(other.memory_mapping);
  EXPECT_TRUE(other.verify);
  EXPECT_EQ(other.prepare.corpus, "voice");
}

}  // namespace
}  // namespace seda::feed
