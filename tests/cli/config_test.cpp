// SPDX-License-Identifier: Apache-2.0
// `seda config show` and `seda config keys`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/config/schema.h"
#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing_support::run_seda;
using testing_support::TemporaryFolder;

TEST(ConfigShow, PrintsEveryKeyWithItsSource) {
  const auto result = run_seda("config show");
  EXPECT_EQ(result.exit_code, 0);
  for (const config::Key& key : config::keys())
    EXPECT_THAT(result.out, HasSubstr(key.path));
  EXPECT_THAT(result.out, ContainsRegex("data\\.batch_size +16 +default"));
}

TEST(ConfigShow, FileOverridesDefaultAndFlagOverridesFile) {
  const TemporaryFolder folder;
  folder.write("seda.yaml", "data:\n  batch_size: 32\n  num_workers: 4\n");
  const auto result = run_seda("config show --num-workers 2", folder.path());
  EXPECT_THAT(result.out, ContainsRegex("data\\.batch_size +32 +[./]*seda\\.yaml:2"));
  EXPECT_THAT(result.out, ContainsRegex("data\\.num_workers +2 +--num-workers"));
  EXPECT_THAT(result.err, HasSubstr("configuration: seda.yaml"));
}

TEST(ConfigShow, LooksForSedaYamlBeforeConfigsFolder) {
  const TemporaryFolder folder;
  folder.write("configs/config.yaml", "data: {batch_size: 8}\n");
  EXPECT_THAT(run_seda("config show data.batch_size", folder.path()).out, HasSubstr("8"));
  folder.write("seda.yaml", "data: {batch_size: 9}\n");
  EXPECT_THAT(run_seda("config show data.batch_size", folder.path()).out, HasSubstr("9"));
}

TEST(ConfigShow, PrintsWhatAPresetAndASizeDecide) {
  const auto mel = run_seda("config show data.mel --preset tacotron2 --n-mels 100");
  EXPECT_THAT(mel.out,
              AllOf(ContainsRegex("data\\.mel\\.sample_rate +22050 \\(tacotron2\\) +default"),
                    ContainsRegex("data\\.mel\\.fmax +8000 \\(tacotron2\\) +default"),
                    ContainsRegex("data\\.mel\\.center +true \\(tacotron2\\) +default"),
                    ContainsRegex("data\\.mel\\.n_mels +100 +--n-mels")));
  EXPECT_THAT(run_seda("config show model --model-size small").out,
              ContainsRegex("model\\.hidden_size +256 \\(small\\) +default"));
  const Json shown = parse_json(run_seda("config show --json --batch-size 4").out, "stdout");
  EXPECT_TRUE(shown["values"]["data.mel.n_fft"]["value"].is_null());
  EXPECT_EQ(shown["values"]["data.mel.n_fft"]["effective"], 1024);
  EXPECT_EQ(shown["values"]["data.batch_size"]["effective"], 4);
}

TEST(ConfigShow, ChangedShowsOnlyWhatWasSet) {
  const auto result = run_seda("config show --changed --batch-size 32");
  EXPECT_EQ(result.out, "data.batch_size  32  --batch-size\n");
}

TEST(ConfigShow, JsonIsOneObjectWithTypedValues) {
  const TemporaryFolder folder;
  const auto file = folder.write("voice.yaml", "training:\n  lr: 1e-4\n");
  const auto result = run_seda("config show --json --config voice.yaml", folder.path());
  const Json shown = parse_json(result.out, "stdout");
  EXPECT_EQ(shown["file"], "voice.yaml");
  EXPECT_EQ(shown["values"]["training.lr"]["value"].get<double>(), 1e-4);
  EXPECT_EQ(shown["values"]["training.lr"]["line"], 2);
  EXPECT_EQ(shown["values"]["data.native_loading"]["value"], true);
  EXPECT_TRUE(shown["values"]["data.num_workers"]["value"].is_null());
}

TEST(ConfigShow, MissingFileSaysSo) {
  const auto result = run_seda("config show --config nowhere.yaml");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("nowhere.yaml"));
}

TEST(ConfigShow, FlagsAreCheckedLikeTheFile) {
  const auto result = run_seda("config show --batch-size lots");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--batch-size"), HasSubstr("lots")));
}

TEST(ConfigShow, TwoFlagsForOneKeyAreRefused) {
  const auto result = run_seda("config show --enable-static-shapes --disable-static-shapes");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("both set data.pad_to_fixed_length"));
}

TEST(ConfigShow, UnknownKeyNamesTheNearest) {
  const auto result = run_seda("config show data.batchsize");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'data.batch_size'?"));
}

TEST(ConfigKeys, JsonListsEveryKeyOnce) {
  const Json listed = parse_json(run_seda("config keys --json").out, "stdout");
  ASSERT_EQ(listed["keys"].size(), config::keys().size());
  for (const Json& key : listed["keys"])
    EXPECT_FALSE(key["meaning"].get<std::string>().empty());
}

TEST(ConfigKeys, SectionNarrowsTheList) {
  const Json listed = parse_json(run_seda("config keys data.mel --json").out, "stdout");
  EXPECT_GT(listed["keys"].size(), 5u);
  for (const Json& key : listed["keys"]) {
    EXPECT_THAT(key["path"].get<std::string>(), HasSubstr("data.mel."));
  }
}

TEST(ConfigKeys, MarkdownHasATable) {
  EXPECT_THAT(run_seda("config keys --markdown").out,
              AllOf(HasSubstr("|---"), HasSubstr("`data.batch_size`")));
}

}  // namespace
}  // namespace seda::cli
