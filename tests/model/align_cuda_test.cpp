// SPDX-License-Identifier: Apache-2.0
#include "seda/model/align_cuda.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/align_clips.h"
#include "tests/support/error_message.h"

namespace seda::model {
namespace {

using seda::testing_support::error_message;
using testing::HasSubstr;
using testing_support::Aligned;
using testing_support::Clips;
using testing_support::GpuClips;
using testing_support::kInfinity;
using testing_support::kNaN;
using testing_support::run_cpu;
using testing_support::run_cuda;

using AlignCudaTest = audio::testing_support::GpuTest;

/// Some impossible values, many ties, and numbers whose sums round.
float drawn_value(Random& random) {
  switch (random.below(16)) {
    case 0:
      return -kInfinity;
    case 1:
      return kNaN;
    case 2:
      return kInfinity;
    case 3:
      return -1e38F;
    default:
      break;
  }
  return random.below(2) == 0 ? -static_cast<float>(random.below(3))
                              : static_cast<float>(random.uniform(-1e4, 10));
}

Clips drawn(int batch, int tokens, int frames, uint64_t seed) {
  Random random(seed);
  Clips clips(batch, tokens, frames);
  clips.draw_lengths(random);
  clips.token_lengths[0] = tokens;
  clips.frame_lengths[0] = frames;
  clips.fill([&] { return drawn_value(random); });
  return clips;
}

TEST_F(AlignCudaTest, ChoosesThePathsOfTheCpu) {
  uint64_t seed = 1;
  for (const int tokens : {1, 2, 31, 32, 33, 64, 200}) {
    for (const int frames : {1, 3, 32, 33, 64, 127, 500}) {
      const Clips clips = drawn(7, tokens, frames, seed++);
      EXPECT_EQ(run_cuda(*gpu_, clips), run_cpu(clips)) << tokens << " x " << frames;
    }
  }
}

TEST_F(AlignCudaTest, ChoosesThePathsOfTheCpuOfMoreTokensThanABlockHasThreads) {
  const Clips clips = drawn(2, 2100, 2500, 100);
  EXPECT_EQ(run_cuda(*gpu_, clips), run_cpu(clips));
}

TEST_F(AlignCudaTest, TakesClipsOfTheLongestKind) {
  const Clips clips = drawn(1, 300, 12288, 101);
  EXPECT_EQ(run_cuda(*gpu_, clips), run_cpu(clips));
}

TEST_F(AlignCudaTest, TakesRowsThatBeginAnywhere) {
  Clips clips = drawn(3, 20, 64, 102);
  const Aligned expected = run_cpu(clips);
  clips.values.insert(clips.values.begin(), kNaN);
  GpuClips there(*gpu_, clips);
  AlignInput input = there.input();
  input.log_likelihood += 1;
  const AlignCuda align(there.shape, gpu_->memory(), gpu_->stream());
  align.apply(input, there.output(), gpu_->stream());
  EXPECT_EQ(there.download(*gpu_).durations, expected.durations);
}

TEST_F(AlignCudaTest, ServesBatchesOfManyShapes) {
  const AlignCuda align({8, 100, 400}, gpu_->memory(), gpu_->stream());
  for (const int size : {100, 7, 64}) {
    const Clips clips = drawn(8, size, 4 * size, 103);
    const GpuClips there(*gpu_, clips);
    align.apply(there.input(), there.output(), gpu_->stream());
    EXPECT_EQ(there.download(*gpu_), run_cpu(clips)) << size;
  }
}

TEST_F(AlignCudaTest, WritesDurationsAlone) {
  const Clips clips = drawn(3, 40, 90, 104);
  const GpuClips there(*gpu_, clips);
  const AlignCuda align(there.shape, gpu_->memory(), gpu_->stream());
  align.apply(there.input(), {.durations = there.output().durations}, gpu_->stream());
  const Aligned found = there.download(*gpu_);
  EXPECT_EQ(found.durations, run_cpu(clips).durations);
  EXPECT_EQ(found.path, Aligned(clips).path);
  EXPECT_EQ(found.status, Aligned(clips).status);
}

TEST_F(AlignCudaTest, CanBeCapturedInAGraphAndNeverAllocates) {
  const Clips clips = drawn(5, 60, 250, 105);
  const GpuClips there(*gpu_, clips);
  const AlignCuda align(there.shape, gpu_->memory(), gpu_->stream());
  const auto native = static_cast<cudaStream_t>(gpu_->stream().native());
  const auto before = gpu_->memory().statistics().allocations;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(native, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  align.apply(there.input(), there.output(), gpu_->stream());
  ASSERT_EQ(cudaStreamEndCapture(native, &graph), cudaSuccess);
  EXPECT_EQ(gpu_->memory().statistics().allocations, before);
  EXPECT_EQ(there.download(*gpu_), Aligned(clips)) << "ran while it was captured";
  ASSERT_EQ(cudaGraphInstantiate(&program, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(program, native), cudaSuccess);
  EXPECT_EQ(there.download(*gpu_), run_cpu(clips));
  cudaGraphExecDestroy(program);
  cudaGraphDestroy(graph);
}

TEST_F(AlignCudaTest, SaysWhatABatchIsTooLargeFor) {
  const AlignCuda align({4, 50, 100}, gpu_->memory(), gpu_->stream());
  const GpuClips there(*gpu_, Clips(2, 51, 100));
  EXPECT_THAT(
      error_message([&] { align.apply(there.input(), there.output(), gpu_->stream()); }),
      HasSubstr("planned for at most 4 clips of 50 tokens and 100 frames, found 2 of 51 and 100"));
}

TEST_F(AlignCudaTest, SaysHowLongAClipMayBe) {
  EXPECT_THAT(error_message([&] { AlignCuda({1, 10, 12289}, gpu_->memory(), gpu_->stream()); }),
              HasSubstr("expected at most 65535 clips of 12288 frames"));
}

}  // namespace
}  // namespace seda::model
