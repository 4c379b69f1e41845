// SPDX-License-Identifier: Apache-2.0
#include "seda/train/replay.h"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/feed/batch_layout.h"
#include "seda/train/safetensors.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/batches.h"

namespace seda::train {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::TemporaryFolder;
using testing::HasSubstr;
using testing_support::Place;

class ReplayFile : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_ / "batch.safetensors"; }

  /// What is said of a file with that description and no tensors.
  std::string refusal(const std::string& description) {
    write_safetensors(path(), {}, {{"seda.batch", description}});
    return error_message([&] { read_replay(path(), place_.memory, place_.stream); });
  }

  TemporaryFolder folder_;
  Place place_;
};

std::string description(int side) {
  return fmt::format(
      R"({{"batch":{0},"tokens":{0},"frames":{0},"n_mels":{0},"update":1,"part":0,"lr":1e-4,)"
      R"("epoch":0,"bucket":0,"utterances":["a"]}})",
      side);
}

TEST_F(ReplayFile, GivesBackWhatWasWritten) {
  feed::Batch batch;
  batch.shape = {.batch = 2, .tokens = 3, .frames = 5, .n_mels = 4};
  std::vector<std::byte> host(feed::batch_bytes(batch.shape));
  batch.arrays = feed::batch_arrays(batch.shape, host.data());
  for (int i = 0; i < 2 * 4 * 5; ++i)
    batch.arrays.mel[i] = static_cast<float>(i);
  batch.arrays.languages[1] = 7;
  write_replay(path(), batch,
               {.options = {.update = 8}, .epoch = 3, .bucket = 2, .utterances = {"a", "ب"}});
  const Replay found = read_replay(path(), place_.memory, place_.stream);
  EXPECT_EQ(found.batch.shape, batch.shape);
  EXPECT_TRUE(std::equal(batch.arrays.mel, batch.arrays.mel + 40, found.batch.arrays.mel));
  EXPECT_EQ(found.batch.arrays.languages[1], 7);
  EXPECT_EQ(found.info.options.update, 8u);
  EXPECT_EQ(found.info.epoch, 3u);
  EXPECT_EQ(found.info.bucket, 2u);
  EXPECT_THAT(found.info.utterances, testing::ElementsAre("a", "ب"));
}

TEST_F(ReplayFile, OneThatClaimsMoreThanItHoldsIsRefusedBeforeMemoryIsAskedFor) {
  EXPECT_THAT(refusal(description(2'000'000'000)), HasSubstr("mel"));
}

TEST_F(ReplayFile, SidesBelowOneAreRefused) {
  EXPECT_THAT(refusal(description(0)), HasSubstr("sides above 0"));
  EXPECT_THAT(refusal(description(-4)), HasSubstr("sides above 0"));
}

TEST_F(ReplayFile, NumbersThatAreNoCountsAreRefused) {
  const std::string good = description(1);
  const auto with_update = [&](const char* value) {
    Json changed = parse_json(good, "test");
    changed["update"] = parse_json(value, "test");
    return refusal(to_json_text(changed));
  };
  EXPECT_THAT(with_update("-1"), HasSubstr("update: expected 0 to 18446744073709551615, found -1"));
  for (const char* value : {"7.5", "1e30", "true"}) {
    EXPECT_THAT(with_update(value),
                HasSubstr("update: expected a whole number of 0 or more, found"))
        << value;
  }
}

TEST_F(ReplayFile, OtherDescriptionsAreRefused) {
  EXPECT_THAT(refusal("{}"),
              HasSubstr("description of a batch: expected a value 'batch', found none"));
  EXPECT_THAT(refusal("{"), HasSubstr("batch.safetensors"));
  write_safetensors(path(), {}, {});
  EXPECT_THAT(error_message([&] { read_replay(path(), place_.memory, place_.stream); }),
              HasSubstr("found other tensors"));
}

}  // namespace
}  // namespace seda::train
