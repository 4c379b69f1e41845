// SPDX-License-Identifier: Apache-2.0
#include "seda/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/support.h"
#include "tests/support/temporary_folder.h"

namespace seda::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::TemporaryFolder;

TEST(Config, DefaultsComeFromTheSchema) {
  const Config config;
  for (const Key& key : keys()) {
    EXPECT_EQ(config.value(key.path), key.default_value) << key.path;
    EXPECT_EQ(config.source(key.path).text(), "default") << key.path;
  }
  EXPECT_TRUE(config.given().empty());
}

TEST(Config, FileThenFlagsOverrideAndLeaveTheirTrace) {
  Config config = parse_good("data:\n  batch_size: 8\n  num_workers: 4\n");
  EXPECT_EQ(config.integer("data.batch_size"), 8);
  EXPECT_EQ(config.source("data.batch_size").text(), "seda.yaml:2");
  EXPECT_EQ(config.source("data.num_workers").place.column, 3);
  config.set_flag(*find_flag("--batch-size"), "32");
  EXPECT_EQ(config.integer("data.batch_size"), 32);
  EXPECT_EQ(config.source("data.batch_size").text(), "--batch-size");
  EXPECT_EQ(config.source("data.batch_size").origin, Origin::flag);
  EXPECT_THAT(config.given(), ElementsAre("data.num_workers", "data.batch_size"));
}

TEST(Config, OldNamesReadAndAskAlike) {
  const Config config = parse_good("data:\n  use_tf_native_loading: false\n");
  EXPECT_FALSE(config.boolean("data.native_loading"));
  EXPECT_FALSE(config.boolean("data.use_tf_native_loading"));
}

TEST(Config, EachTypeHasItsAccessor) {
  const Config config = parse_good(
      "data:\n  data_gpu: 1\n  text: {cleaners: [numbers, lowercase]}\n"
      "training:\n  lr: 1e-4\n  max_steps: 100\n");
  EXPECT_EQ(config.text("data.data_gpu"), "1");
  EXPECT_EQ(config.number("training.lr"), 1e-4);
  EXPECT_EQ(config.integer("training.max_steps"), 100);
  EXPECT_THAT(config.list("data.text.cleaners"), ElementsAre("numbers", "lowercase"));
  EXPECT_TRUE(config.boolean("data.pin_memory"));
  EXPECT_TRUE(config.is_auto("data.num_workers"));
  EXPECT_FALSE(config.is_auto("training.lr"));
}

TEST(Config, WrongPathOrTypeIsOurOwnBug) {
  const Config config;
  message_of([&] { config.value("data.nothing"); }, ErrorKind::internal);
  message_of([&] { config.integer("training.lr"); }, ErrorKind::internal);
  message_of([&] { config.integer("data.num_workers"); }, ErrorKind::internal);
}

TEST(Config, FlagErrorsNameFlagExpectedAndFound) {
  Config config;
  const auto set = [&](std::string_view name, std::string_view argument) {
    return message_of([&] { config.set_flag(*find_flag(name), argument); }, ErrorKind::usage);
  };
  EXPECT_EQ(set("--batch-size", "many"),
            "--batch-size: expected an integer from 1 to 4096 (clips), found many");
  EXPECT_EQ(set("--num-workers", "0"),
            "--num-workers: expected an integer from 1 to 256 (threads), or auto, found 0");
  EXPECT_EQ(
      set("--model-size", "tny"),
      "--model-size: expected one of tiny, small, normal, big, found tny; did you mean tiny?");
  EXPECT_EQ(set("--lr", ""), "--lr: expected a number above 0 and at most 10, found nothing");
  EXPECT_EQ(set("--no-xla", "please"), "--no-xla: takes no value, found please");
  EXPECT_TRUE(config.given().empty()) << "a refused flag changes nothing";
}

TEST(Config, FlagsWithAFixedValueSetIt) {
  Config config;
  config.set_flag(*find_flag("--disable-static-shapes"));
  EXPECT_FALSE(config.boolean("data.pad_to_fixed_length"));
  config.set_flag(*find_flag("--enable-static-shapes"));
  EXPECT_TRUE(config.boolean("data.pad_to_fixed_length"));
  config.set_flag(*find_flag("--no-mixed-precision"));
  EXPECT_FALSE(config.boolean("training.mixed_precision"));
}

TEST(Config, FlagsCanTakeAValueBackToAuto) {
  Config config = parse_good("data: {num_workers: 4}");
  config.set_flag(*find_flag("--num-workers"), "auto");
  EXPECT_TRUE(config.is_auto("data.num_workers"));
}

TEST(Config, ResetIsAsIfNobodyHadSaidAnything) {
  Config config = parse_good("data: {batch_frames: 8000}");
  config.reset("data.batch_frames");
  EXPECT_TRUE(config.is_auto("data.batch_frames"));
  EXPECT_EQ(config.source("data.batch_frames").origin, Origin::default_value);
}

TEST(Config, SetRefusesWhatTheKeyMayNotHold) {
  Config config;
  EXPECT_THAT(message_of([&] { config.set("data.batch_size", int64_t{0}, {}); }),
              HasSubstr("data.batch_size: expected an integer from 1"));
}

TEST(Config, LoadListsEveryProblem) {
  const TemporaryFolder folder;
  const auto file = folder.write("seda.yaml", "data:\n  batch_size: 0\n  batch_sise: 1\n");
  const std::string message = message_of([&] { Config::load(file); });
  EXPECT_THAT(message, HasSubstr("seda.yaml:2:15: data.batch_size: expected"));
  EXPECT_THAT(message, HasSubstr("seda.yaml:3:3: unknown key data.batch_sise"));
}

TEST(FindConfigFile, PrefersSedaYaml) {
  const TemporaryFolder folder;
  EXPECT_EQ(find_config_file(folder.path()), std::nullopt);
  folder.write("configs/config.yaml", "");
  EXPECT_EQ(find_config_file(folder.path()), folder / "configs/config.yaml");
  folder.write("seda.yaml", "");
  EXPECT_EQ(find_config_file(folder.path()), folder / "seda.yaml");
}

TEST(FindConfigFile, FindsWhatIsNoFileSoThatReadingItComplains) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "seda.yaml");
  EXPECT_EQ(find_config_file(folder.path()), folder / "seda.yaml");
}

}  // namespace
}  // namespace seda::config
