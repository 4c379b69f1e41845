// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/apply_remedies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/config/config.h"
#include "tests/support/fake_backend.h"
#include "tests/support/small_corpus.h"

namespace seda::diagnose {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kText =
    "# a voice\ntraining:\n  enable_graph_mode: false  # slow\ndata:\n  batch_size: 4\n";

/// A configuration, a small corpus, and steps that take as long as a formula says.
class ApplyRemedies : public testing::Test {
 protected:
  ApplyRemedies() {
    folder.write("seda.yaml", kText);
    testing_support::write_small_corpus(folder, 12);
    options.corpus = folder / "corpus";
  }

  std::vector<AppliedRemedy> apply(std::vector<Remedy> remedies) {
    Diagnosis diagnosis;
    diagnosis.verdict.remedies = std::move(remedies);
    const config::Reading reading = config::parse_config(kText, "seda.yaml");
    return apply_remedies(file, reading.config, fake.platform, options, diagnosis);
  }

  testing_support::TemporaryFolder folder;
  std::filesystem::path file = folder / "seda.yaml";
  testing_support::FakePlatform fake{{.devices = 0}};
  DiagnosisOptions options;
};

TEST_F(ApplyRemedies, KeepsWhatMakesStepsFaster) {
  options.probe = [](const config::Config& config) {
    StepProfile step;
    step.clips = 4;
    step.frames = 1600;
    step.ceiling_frames = 1600;
    step.ceiling_s = config.boolean("training.enable_graph_mode") ? 0.010 : 0.020;
    return step;
  };
  const auto applied = apply({set_to("training.enable_graph_mode", "true")});
  ASSERT_EQ(applied.size(), 1u);
  EXPECT_TRUE(applied[0].kept);
  EXPECT_DOUBLE_EQ(applied[0].before.clips_per_second, 200);
  EXPECT_DOUBLE_EQ(applied[0].after.clips_per_second, 400);
  EXPECT_EQ(read_file(file),
            "# a voice\ntraining:\n  enable_graph_mode: true  # slow\ndata:\n  batch_size: 4\n");
  EXPECT_EQ(read_file(applied[0].backup), kText);
}

TEST_F(ApplyRemedies, TakesBackWhatBringsNothing) {
  options.probe = [](const config::Config&) {
    StepProfile step;
    step.clips = 4;
    step.frames = 1600;
    step.ceiling_frames = 1600;
    step.ceiling_s = 0.020;
    return step;
  };
  const auto applied = apply({set_to("training.enable_graph_mode", "true")});
  ASSERT_EQ(applied.size(), 1u);
  EXPECT_FALSE(applied[0].kept);
  EXPECT_EQ(applied[0].why, "it did not help");
  EXPECT_EQ(read_file(file), kText);
}

TEST_F(ApplyRemedies, TakesBackWhatCannotBeMeasured) {
  options.probe = [calls = 0](const config::Config&) mutable -> StepProfile {
    if (++calls == 2) throw_error(ErrorKind::memory, "no room for a graph");
    return {};
  };
  EXPECT_THROW(apply({set_to("training.enable_graph_mode", "true")}), Error);
  EXPECT_EQ(read_file(file), kText);
}

TEST_F(ApplyRemedies, LeavesTheFileWhereNoStepCanBeTaken) {
  options.no_probe = "this build has no trainer";
  const auto applied =
      apply({set_to("training.enable_graph_mode", "true"), {.change = "nice -n 19 backup"}});
  ASSERT_EQ(applied.size(), 2u);
  EXPECT_THAT(applied[0].why, HasSubstr("this build has no trainer"));
  EXPECT_THAT(applied[0].diff, IsEmpty());
  EXPECT_EQ(applied[1].why, "it is no key of the configuration");
  EXPECT_EQ(read_file(file), kText);
}

}  // namespace
}  // namespace seda::diagnose
