// SPDX-License-Identifier: Apache-2.0
#include "seda/config/fix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/config/config.h"

namespace seda::config {
namespace {

/// The text with every fix of its problems made, and what they did.
struct Outcome {
  std::string text;
  std::vector<Fixed> fixed;
};

Outcome fixed(const std::string& text) {
  Outcome out{text, {}};
  Editor editor(text, "seda.yaml");
  const Reading reading = parse_config(text, "seda.yaml");
  for (const Problem& problem : reading.problems.problems()) {
    if (const auto fix = fix_of(problem, editor)) out.fixed.push_back(apply(*fix, editor));
  }
  out.text = editor.text();
  return out;
}

struct Case {
  const char* name;
  std::string before;
  std::string after;
};

class FixOf : public testing::TestWithParam<Case> {};

TEST_P(FixOf, MakesTheChangeAndNoOther) {
  EXPECT_EQ(fixed(GetParam().before).text, GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    Problems, FixOf,
    testing::Values(
        Case{"MisspeltKey", "data:\n  batch_sise: 8 # c\n", "data:\n  batch_size: 8 # c\n"},
        Case{"MisspeltSection", "dat:\n  batch_size: 8\n", "data:\n  batch_size: 8\n"},
        Case{"QuotedNumber", "training:\n  lr: \"1e-4\" # c\n", "training:\n  lr: 0.0001 # c\n"},
        Case{"QuotedTruth", "data: {pin_memory: 'yes'}\n", "data: {pin_memory: true}\n"},
        Case{"TruthAsNumber", "data: {pin_memory: 0}\n", "data: {pin_memory: false}\n"},
        Case{"OneElement", "data:\n  text:\n    cleaners: numbers\n",
             "data:\n  text:\n    cleaners: [numbers]\n"},
        Case{"ChoiceInAnotherSpelling", "data: {preprocessing_mode: On-The-Fly}\n",
             "data: {preprocessing_mode: on_the_fly}\n"},
        Case{"BelowItsRange", "data: {pipeline_buffer_size: 1}\n",
             "data: {pipeline_buffer_size: 2}\n"},
        Case{"AboveItsRange", "data: {max_fault_share: 7.5}\n", "data: {max_fault_share: 1}\n"},
        Case{"OldNameThatContradicts",
             "data:\n  use_tf_native_loading: false # old\n  native_loading: true # new\n",
             "data:\n  use_tf_native_loading: true # old\n  native_loading: true # new\n"}),
    [](const auto& one) { return one.param.name; });

class NotPlain : public testing::TestWithParam<std::string> {};

TEST_P(NotPlain, IsLeftAsItIs) {
  EXPECT_EQ(fixed(GetParam()).text, GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Problems, NotPlain,
    testing::Values("data: {batch_size: 0}\n", "model: {hidden_size: 1000000}\n",
                    "training: {lr: 0}\n", "training: {beta: 0.9}\n", "data: {shuffle: true}\n",
                    "training: {batch_size: 8}\n", "data: {batch_size: many}\n",
                    "data: {batch_sise: 8, batch_size: 16}\n", "data.batch_size: 8\n",
                    "data: {batch_size: }\n", "data: {mel: {fmin: 100, fmax: 50}}\n",
                    "data: {mel: 8}\n", "data: {batch_size: {a: 1}}\n"));

TEST(Apply, SaysWhatWasAndWhatIs) {
  EXPECT_EQ(fixed("data: {batch_sise: 8}\n").fixed,
            (std::vector<Fixed>{{"data.batch_sise", "data.batch_sise", "data.batch_size"}}));
  EXPECT_EQ(fixed("data: {pipeline_buffer_size: 1}\n").fixed,
            (std::vector<Fixed>{{"data.pipeline_buffer_size", "1", "2"}}));
  EXPECT_EQ(fixed("data: {use_tf_native_loading: false, native_loading: true}\n").fixed,
            (std::vector<Fixed>{{"data.use_tf_native_loading", "false", "true"}}));
  Editor editor("data: {use_tf_native_loading: false}\n", "x");
  EXPECT_EQ(apply(set_to("data.native_loading", true), editor),
            (Fixed{"data.use_tf_native_loading", "false", "true"}));
  EXPECT_EQ(apply(set_to("data.num_workers", {}), editor),
            (Fixed{"data.num_workers", "default", "auto"}));
}

}  // namespace
}  // namespace seda::config
