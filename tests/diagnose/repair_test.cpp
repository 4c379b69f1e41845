// SPDX-License-Identifier: Apache-2.0
// Broken configurations, mended: what changes, that comments stay, and that nothing is left.
#include "seda/diagnose/repair.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/diagnose/validation_bench.h"

namespace seda::diagnose {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing_support::check_named;
using testing_support::ValidationBench;
using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    out.push_back(line);
  return out;
}

/// What a diff takes away and adds, without its context.
Lines changes(const std::string& before, const std::string& after) {
  Lines out;
  for (const std::string& line : lines_of(config::diff(before, after, "seda.yaml"))) {
    const bool head = line.starts_with("---") || line.starts_with("+++");
    if (!head && (line.starts_with('-') || line.starts_with('+'))) out.push_back(line);
  }
  return out;
}

/// Everything behind a #, line by line; none of these configurations has one in a value.
Lines comments_of(const std::string& text) {
  Lines out;
  for (const std::string& line : lines_of(text)) {
    const size_t mark = line.find('#');
    if (mark != std::string::npos) out.push_back(line.substr(mark));
  }
  return out;
}

struct Broken {
  const char* name;
  std::string text;
  Lines changes;
};

const Broken kBroken[] = {
    {"NativeLoadingOff",
     "# The studio's voice.\n"
     "data:\n"
     "  use_tf_native_loading: false   # it crashed once\n"
     "  batch_size: 16\n",
     {"-  use_tf_native_loading: false   # it crashed once",
      "+  use_tf_native_loading: true   # it crashed once"}},
    {"MisspeltNames",
     "dta:   # where clips come from\n"
     "    batch_sise: 24      # fits the card\n"
     "    max_mel_frame: 900\n"
     "training: {epoch: 50}  # a week\n",
     {"-dta:   # where clips come from", "-    batch_sise: 24      # fits the card",
      "-    max_mel_frame: 900", "-training: {epoch: 50}  # a week",
      "+data:   # where clips come from", "+    batch_size: 24      # fits the card",
      "+    max_mel_frames: 900", "+training: {epochs: 50}  # a week"}},
    {"NumbersAndTruthsAsText",
     "training:\n"
     "  lr: \"1e-4\"   # peak\n"
     "data:\n"
     "  batch_size: '16'\n"
     "  cache_verification: \"yes\" # slow disk\n"
     "  cache_dataset: 1\n",
     {"-  lr: \"1e-4\"   # peak", "+  lr: 0.0001   # peak", "-  batch_size: '16'",
      "-  cache_verification: \"yes\" # slow disk", "-  cache_dataset: 1", "+  batch_size: 16",
      "+  cache_verification: true # slow disk", "+  cache_dataset: true"}},
    {"OutOfRange",
     "data:\n"
     "  pipeline_buffer_size: 1     # as small as it goes\n"
     "  prefetch_buffer_size: 5000  # as large as it goes\n"
     "  # share of bad clips\n"
     "  max_fault_share: 3\n",
     {"-  pipeline_buffer_size: 1     # as small as it goes",
      "-  prefetch_buffer_size: 5000  # as large as it goes",
      "+  pipeline_buffer_size: 2     # as small as it goes",
      "+  prefetch_buffer_size: 256  # as large as it goes", "-  max_fault_share: 3",
      "+  max_fault_share: 1"}},
    {"MoreWorkersThanCores",
     "\xef\xbb\xbf# با نشان بایت\n"
     "data: {num_workers: 64, pin_memory: true}  # all we have\n",
     {"-data: {num_workers: 64, pin_memory: true}  # all we have",
      "+data: {num_workers: auto, pin_memory: true}  # all we have"}},
    {"GraphsWithoutFixedShapes",
     "data:\n"
     "  pad_to_fixed_length: no  # padding is waste\n"
     "training:\n"
     "  enable_graph_mode: true\n",
     {"-  pad_to_fixed_length: no  # padding is waste",
      "+  pad_to_fixed_length: true  # padding is waste"}},
    {"SlowStep",
     "training:\n"
     "  enable_graph_mode: false       # for the debugger\n"
     "  enable_xla_compilation: off\n"
     "data:\n"
     "  mixed_precision: false         # afraid of NaN\n",
     {"-  enable_graph_mode: false       # for the debugger", "-  enable_xla_compilation: off",
      "+  enable_graph_mode: true       # for the debugger", "+  enable_xla_compilation: true",
      "-  mixed_precision: false         # afraid of NaN",
      "+  mixed_precision: true         # afraid of NaN"}},
    {"PrefetchOffWithWindowsLineEnds",
     "data:\r\n"
     "  prefetch_to_gpu: false\t# copied\r\n"
     "  enhanced_gpu_prefetch: false\r\n"
     "  optimize_cpu_gpu_overlap: false # too\r\n"
     "  pin_memory: false",
     {"-  prefetch_to_gpu: false\t# copied\r", "-  enhanced_gpu_prefetch: false\r",
      "-  optimize_cpu_gpu_overlap: false # too\r", "-  pin_memory: false",
      "+  prefetch_to_gpu: true\t# copied\r", "+  enhanced_gpu_prefetch: true\r",
      "+  optimize_cpu_gpu_overlap: true # too\r", "+  pin_memory: true"}},
    {"BudgetAboveTheCard",
     "data:\n"
     "  data_gpu: 0\n"
     "  model_gpu: 1\n"
     "  memory_isolation: true\n"
     "  model_gpu_memory: 65536  # the big card\n",
     {"-  model_gpu_memory: 65536  # the big card", "+  model_gpu_memory: 24576  # the big card"}},
    {"NamesThatContradictAndRepeat",
     "data:\n"
     "  enable_xla: false        # the old name\n"
     "  batch_size: 16           # first\n"
     "training:\n"
     "  enable_xla_compilation: true  # the new name\n"
     "  schedule: Cosine\n"
     "  log_every: 10\n"
     "  log_every: 10\n",
     {"-  enable_xla: false        # the old name", "+  enable_xla: true        # the old name",
      "-  schedule: Cosine", "+  schedule: cosine", "-  log_every: 10"}},
};

class BrokenConfiguration : public testing::TestWithParam<Broken> {};

TEST_P(BrokenConfiguration, IsMendedWithItsCommentsAndThenClean) {
  const auto& [name, before, expected] = GetParam();
  ValidationBench bench;
  const auto first = bench.validate(before);
  EXPECT_GT(first.findings().size(), 0u);
  const Repair repair = bench.repair(before);
  EXPECT_EQ(changes(before, repair.text), expected);
  EXPECT_EQ(comments_of(repair.text), comments_of(before));
  EXPECT_THAT(repair.refused, IsEmpty());
  EXPECT_FALSE(repair.fixed.empty());

  const auto second = bench.validate(repair.text);
  EXPECT_EQ(second.count(Status::failed), 0u);
  for (const Finding& finding : second.findings())
    EXPECT_EQ(finding.code, "no_gpu_monitor") << finding.evidence;
  EXPECT_EQ(bench.repair(repair.text).text, repair.text);
}

INSTANTIATE_TEST_SUITE_P(Ten, BrokenConfiguration, testing::ValuesIn(kBroken),
                         [](const auto& one) { return one.param.name; });

TEST(Repair, GoesOnUntilWhatARenameShowedIsMendedToo) {
  ValidationBench bench;
  EXPECT_EQ(bench.repair("data:\n  num_wokers: \"64\"  # c\n").text,
            "data:\n  num_workers: auto  # c\n");
}

TEST(Repair, SaysWhatItFixed) {
  ValidationBench bench;
  const Repair repair = bench.repair("data: {native_loading: false, num_wokers: 2}\n");
  EXPECT_THAT(repair.fixed,
              testing::UnorderedElementsAre(
                  config::Fixed{"data.native_loading", "false", "true"},
                  config::Fixed{"data.num_wokers", "data.num_wokers", "data.num_workers"}));
}

/// What a user may have meant stays a finding.
class LeftAlone : public testing::TestWithParam<std::string> {};

TEST_P(LeftAlone, IsAFindingAndNoChange) {
  ValidationBench bench;
  EXPECT_EQ(bench.repair(GetParam()).text, GetParam());
  EXPECT_GT(bench.validate(GetParam()).findings().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Configurations, LeftAlone,
    testing::Values("data: {model_gpu: 7}\n", "data: {batch_size: 0}\n",
                    "training: {enable_eager_debug: true, enable_graph_mode: false}\n",
                    "data: {batch_size: 8, batch_size: 16}\n",
                    "data: {pad_to_fixed_length: false}\ntraining: {enable_graph_mode: false, "
                    "enable_eager_debug: true}\n",
                    "data: {mel: {fmin: 900, fmax: 200}}\n", "optimizer: {name: adam}\n"));

TEST(Repair, OfALayoutThatCannotBeEditedSaysSo) {
  ValidationBench bench;
  const std::string text = "data: &d\n  native_loading: false\n";
  const Repair repair = bench.repair(text);
  EXPECT_EQ(repair.text, text);
  EXPECT_THAT(repair.refused, ElementsAre(HasSubstr("anchor")));
}

TEST(Repair, OfBothRolesOnOneCardLeavesTheModelTheRest) {
  ValidationBench bench(1);
  const std::string text =
      "data: {memory_isolation: true, data_gpu_memory: 8192, model_gpu_memory: 20000}\n";
  EXPECT_THAT(bench.repair(text).text, HasSubstr("model_gpu_memory: 16384"));
}

TEST(Repair, OfAFlagChangesNothingInTheFile) {
  ValidationBench bench;
  const std::string text = "data: {num_workers: 4}\n";
  const Repair repair = diagnose::repair(text, "seda.yaml", [&](const std::string& now) {
    config::Reading reading = config::parse_config(now, "seda.yaml");
    reading.config.set_flag(*config::find_flag("--num-workers"), "64");
    return configuration_findings(bench.input(reading, now));
  });
  EXPECT_EQ(repair.text, text);
}

}  // namespace
}  // namespace seda::diagnose
