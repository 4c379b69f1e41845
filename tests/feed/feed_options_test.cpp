// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/feed_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_backend.h"

namespace seda::feed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::error_message;
using testing_support::FakePlatform;

FeedOptions read(const std::string& yaml, const FakePlatform& fake) {
  const auto reading = config::parse_config(yaml, "seda.yaml");
  EXPECT_EQ(reading.problems.text(), "");
  return feed_options(reading.config, fake.platform);
}

const FakePlatform& machine(int gpus) {
  static const FakePlatform none({.devices = 0});
  static const FakePlatform one({.devices = 1, .memory_bytes = uint64_t{1000} << 20});
  static const FakePlatform two({.devices = 2, .memory_bytes = uint64_t{1000} << 20});
  return gpus == 0 ? none : gpus == 1 ? one : two;
}

std::string roles(const FeedOptions& options) {
  return device::to_string(options.roles.data) + " " + device::to_string(options.roles.model);
}

TEST(FeedOptions, WithoutAWordBothRolesAreOnTheFirstGpuElseTheCpu) {
  EXPECT_EQ(roles(read("data: {batch_size: 16}", machine(0))), "cpu cpu");
  EXPECT_EQ(roles(read("data: {batch_size: 16}", machine(1))), "cuda:0 cuda:0");
  EXPECT_EQ(roles(read("data: {batch_size: 16}", machine(2))), "cuda:0 cuda:0");
}

TEST(FeedOptions, DataIsWhereTheModelIsUnlessNamed) {
  EXPECT_EQ(roles(read("data: {model_gpu: 1}", machine(2))), "cuda:1 cuda:1");
  EXPECT_EQ(roles(read("data: {model_gpu: 1, data_gpu: 0}", machine(2))), "cuda:0 cuda:1");
  EXPECT_EQ(roles(read("data: {data_gpu: cpu}", machine(1))), "cpu cuda:0");
  EXPECT_EQ(roles(read("data: {model_gpu: cpu}", machine(1))), "cpu cpu");
}

TEST(FeedOptions, ADeviceThatIsNotThereIsNamedWithThoseThatAreAndNeverSwapped) {
  for (const char* yaml : {"data: {model_gpu: 1}", "data: {data_gpu: 1}"}) {
    EXPECT_THAT(error_message([&] { read(yaml, machine(1)); }),
                AllOf(HasSubstr("no device cuda:1"), HasSubstr("cpu, cuda:0")));
  }
  try {
    read("data: {model_gpu: 0}", machine(0));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
  }
}

TEST(FeedOptions, TakeEveryKey) {
  const FeedOptions options = read(R"(
data:
  native_loading: false
  num_workers: 5
  prefetch_buffer_size: 6
  pipeline_buffer_size: 7
  enhanced_gpu_prefetch: false
  prefetch_to_gpu: false
  optimize_cpu_gpu_overlap: false
  pin_memory: false
  cache_dataset: true
  batch_size: 8
  num_buckets: 9
  pad_to_fixed_length: false
  max_text_length: 100
  max_mel_frames: 300
  overlong: truncate
  max_fault_share: 0.25
  data_gpu_memory: 10
  model_gpu_memory: 20
training: {seed: 42}
debug: {inject: [slow_clip=3]}
)",
                                   machine(1));
  EXPECT_FALSE(options.native);
  EXPECT_EQ(options.workers, 5);
  EXPECT_EQ(options.prefetch, 6);
  EXPECT_EQ(options.slots, 7);
  EXPECT_FALSE(options.one_deeper);
  EXPECT_FALSE(options.prefetch_to_gpu);
  EXPECT_FALSE(options.own_copy_stream);
  EXPECT_FALSE(options.pinned);
  EXPECT_TRUE(options.resident);
  EXPECT_EQ(options.batch_size, 8);
  EXPECT_EQ(options.num_buckets, 9);
  EXPECT_FALSE(options.fixed_shapes);
  EXPECT_EQ(options.limits, (LengthLimits{100, 300, Overlong::truncate}));
  EXPECT_EQ(options.max_fault_share, 0.25);
  EXPECT_EQ(options.budgets, (Budgets{false, 10 << 20, 20 << 20}));
  EXPECT_EQ(options.order.seed, 42u);
  EXPECT_EQ(options.inject, Inject{.slow_clip_ms = 3});
}

TEST(FeedOptions, DefaultsOfTheSchemaAreThoseOfTheStruct) {
  FeedOptions expected;
  const FeedOptions options = read("data: {batch_size: 16}", machine(0));
  EXPECT_EQ(options.native, expected.native);
  EXPECT_EQ(options.workers, expected.workers);
  EXPECT_EQ(options.prefetch, expected.prefetch);
  EXPECT_EQ(options.slots, expected.slots);
  EXPECT_EQ(options.one_deeper, expected.one_deeper);
  EXPECT_EQ(options.prefetch_to_gpu, expected.prefetch_to_gpu);
  EXPECT_EQ(options.own_copy_stream, expected.own_copy_stream);
  EXPECT_EQ(options.pinned, expected.pinned);
  EXPECT_EQ(options.resident, expected.resident);
  EXPECT_EQ(options.batch_size, expected.batch_size);
  EXPECT_EQ(options.batch_frames, expected.batch_frames);
  EXPECT_EQ(options.num_buckets, expected.num_buckets);
  EXPECT_EQ(options.fixed_shapes, expected.fixed_shapes);
  EXPECT_EQ(options.limits, expected.limits);
  EXPECT_EQ(options.max_fault_share, expected.max_fault_share);
  EXPECT_EQ(options.order, expected.order);
  EXPECT_FALSE(options.inject.any());
}

TEST(FeedOptions, BatchesAreMeasuredByClipsOrByFrames) {
  const FeedOptions clips = read("data: {batch_size: 8}", machine(0));
  EXPECT_EQ(clips.batch_frames, 0);
  EXPECT_STREQ(batch_key(clips), "data.batch_size");
  EXPECT_EQ(batch_words(clips), "8 clips");
  const FeedOptions frames = read("data: {batch_frames: 6000, batch_size: 8}", machine(0));
  EXPECT_EQ(frames.batch_frames, 6000);
  EXPECT_STREQ(batch_key(frames), "data.batch_frames");
  EXPECT_EQ(batch_words(frames), "at most 6000 frames");
}

TEST(FeedOptions, BudgetsBindOnlyWithIsolation) {
  EXPECT_FALSE(read("data: {data_gpu_memory: 5000}", machine(1)).budgets.isolated);
  EXPECT_TRUE(read("data: {memory_isolation: true, data_gpu_memory: 500, model_gpu_memory: 500}",
                   machine(1))
                  .budgets.isolated);
}

TEST(FeedOptions, ABudgetAboveItsCardNamesBoth) {
  const auto message = [](const std::string& rest, int gpus) {
    return error_message([&] { read("data: {memory_isolation: true, " + rest, machine(gpus)); });
  };
  EXPECT_THAT(message("data_gpu: 0, model_gpu: 1, data_gpu_memory: 1001}", 2),
              AllOf(HasSubstr("data.data_gpu_memory:"), HasSubstr("cuda:0, 1000 MB"),
                    HasSubstr("found 1001 MB")));
  EXPECT_THAT(message("data_gpu: 0, model_gpu: 1, data_gpu_memory: 1, model_gpu_memory: 1001}", 2),
              AllOf(HasSubstr("data.model_gpu_memory:"), HasSubstr("cuda:1")));
}

TEST(FeedOptions, RolesThatShareACardShareItsMemory) {
  const std::string both =
      "data: {memory_isolation: true, data_gpu_memory: 501, model_gpu_memory: 500";
  EXPECT_THAT(error_message([&] { read(both + "}", machine(1)); }),
              AllOf(HasSubstr("together"), HasSubstr("found 1001 MB")));
  EXPECT_NO_THROW(read(both + ", data_gpu: 0, model_gpu: 1}", machine(2)));
}

TEST(FeedOptions, TheHostHasNoBudget) {
  EXPECT_NO_THROW(
      read("data: {memory_isolation: true, data_gpu_memory: 1048576, "
           "model_gpu_memory: 1048576}",
           machine(0)));
}

}  // namespace
}  // namespace seda::feed
