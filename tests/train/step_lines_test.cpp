// SPDX-License-Identifier: Apache-2.0
#include "seda/train/step_lines.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/file.h"
#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

using ::seda::testing_support::TemporaryFolder;

/// What is left of `content` for a run that goes on after `last_step`.
std::string kept(std::string_view content, uint64_t last_step) {
  const TemporaryFolder folder;
  const auto path = folder.write("lines.jsonl", content);
  const StepLines lines(path, last_step);
  return read_file(path);
}

TEST(StepLines, AreAdded) {
  const TemporaryFolder folder;
  {
    StepLines lines(folder / "deep/er/lines.jsonl", 0);
    lines.add({{"step", 1}});
    lines.add({{"step", 2}});
  }
  EXPECT_EQ(read_file(folder / "deep/er/lines.jsonl"), "{\"step\":1}\n{\"step\":2}\n");
}

TEST(StepLines, OfStepsThatComeAgainAreCut) {
  const std::string content = "{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n";
  EXPECT_EQ(kept(content, 3), content);
  EXPECT_EQ(kept(content, 2), "{\"step\":1}\n{\"step\":2}\n");
  EXPECT_EQ(kept(content, 0), "");
}

TEST(StepLines, TornAndForeignOnesAreCut) {
  EXPECT_EQ(kept("{\"step\":1}\n{\"step\":2", 9), "{\"step\":1}\n");
  EXPECT_EQ(kept("{\"step\":1}\nnoise\n{\"step\":2}\n", 9), "{\"step\":1}\n");
}

}  // namespace
}  // namespace seda::train
