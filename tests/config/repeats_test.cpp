// SPDX-License-Identifier: Apache-2.0
#include "seda/config/repeats.h"

#include <gtest/gtest.h>

#include "tests/config/support.h"

namespace seda::config {
namespace {

std::string cleaned(const std::string& text) {
  return without_repeats(text, "seda.yaml").text;
}

TEST(WithoutRepeats, DropsWhatIsSaidAgain) {
  EXPECT_EQ(
      cleaned("data:\n  batch_size: 16 # first\n  pin_memory: true\n  batch_size: 16\n# end\n"),
      "data:\n  batch_size: 16 # first\n  pin_memory: true\n# end\n");
  EXPECT_EQ(cleaned("data: {batch_size: 16, pin_memory: true, batch_size: 16}\n"),
            "data: {batch_size: 16, pin_memory: true}\n");
  EXPECT_EQ(cleaned("data:\n  mel:\n    fmax: 8000\n    fmax: 8000\n    fmax: 8000\n"),
            "data:\n  mel:\n    fmax: 8000\n");
  EXPECT_EQ(cleaned("data:\r\n  a: 1\r\ndata:\r\n  a: 1\r\n"), "data:\r\n  a: 1\r\n");
}

TEST(WithoutRepeats, NamesWhatItDropped) {
  EXPECT_EQ(without_repeats("data:\n  mel: {fmax: 1, fmax: 1}\n", "x").dropped,
            std::vector<std::string>{"data.mel.fmax"});
}

TEST(WithoutRepeats, KeepsWhatSaysSomethingElse) {
  for (const std::string text :
       {"data:\n  batch_size: 16\n  batch_size: 32\n", "data: {}\n", "", "# nothing\n",
        "data:\n  batch_size: 16\ntraining:\n  batch_size: 16\n"})
    EXPECT_EQ(cleaned(text), text);
}

TEST(WithoutRepeats, RefusesWhatIsNotYaml) {
  EXPECT_NE(message_of([] { cleaned("data: [\n"); }), "");
}

}  // namespace
}  // namespace seda::config
