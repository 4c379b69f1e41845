// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/featurize_cuda.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/text/tokenizer.h"
#include "tests/audio/mel_reference.h"
#include "tests/feed/packed_clips.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using audio::MelOptions;
using audio::testing_support::Gpu;
using audio::testing_support::MelErrors;
using audio::testing_support::sized;
using packed_clips::Arrays;
using packed_clips::Clip;
using packed_clips::make_clips;
using packed_clips::Packed;
using seda::testing_support::error_message;
using testing::HasSubstr;

void expect_mel(const MelOptions& options, const BatchShape& shape, const std::vector<Clip>& clips,
                const std::vector<float>& got, AudioKind kind) {
  MelErrors errors;
  size_t at = 0;
  for (const Clip& clip : clips) {
    for (int band = 0; band < shape.n_mels; ++band) {
      for (int t = 0; t < shape.frames; ++t, ++at) {
        if (t >= clip.frames) {
          ASSERT_EQ(got[at], audio::mel_silence(options)) << "band " << band << " frame " << t;
          continue;
        }
        const float want = clip.mel[static_cast<size_t>(band * clip.own_frames + t)];
        if (kind == AudioKind::mel) {
          ASSERT_EQ(got[at], want) << "band " << band << " frame " << t;
        }
        errors.add(got[at], want);
      }
    }
  }
  EXPECT_TRUE(errors.within_tolerance()) << errors.text();
}

void expect_rest(Gpu& gpu, const BatchShape& shape, const std::vector<Clip>& clips,
                 const Arrays& got) {
  std::vector<int32_t> tokens;
  std::vector<uint8_t> token_mask;
  std::vector<uint8_t> mel_mask;
  std::vector<std::vector<int32_t>> numbers(4);
  for (const Clip& clip : clips) {
    for (int i = 0; i < shape.tokens; ++i) {
      const bool real = i < clip.token_count;
      tokens.push_back(real ? clip.tokens[static_cast<size_t>(i)] : text::kPadToken);
      token_mask.push_back(real ? 1 : 0);
    }
    for (int t = 0; t < shape.frames; ++t)
      mel_mask.push_back(t < clip.frames ? 1 : 0);
    numbers[0].push_back(clip.frames);
    numbers[1].push_back(clip.token_count);
    numbers[2].push_back(clip.speaker);
    numbers[3].push_back(clip.language);
  }
  EXPECT_EQ(got.tokens.read(gpu), tokens);
  EXPECT_EQ(got.token_mask.read(gpu), token_mask);
  EXPECT_EQ(got.mel_mask.read(gpu), mel_mask);
  EXPECT_EQ(got.mel_lengths.read(gpu), numbers[0]);
  EXPECT_EQ(got.token_lengths.read(gpu), numbers[1]);
  EXPECT_EQ(got.speakers.read(gpu), numbers[2]);
  EXPECT_EQ(got.languages.read(gpu), numbers[3]);
}

/// Batches of one clip, of a few and of more than a warp, in rows that are and are not multiples of
/// four.
std::vector<BatchShape> various_shapes(int n_mels) {
  std::vector<BatchShape> out;
  for (const int batch : {1, 3, 33}) {
    for (const auto& [tokens, frames] : {std::pair(1, 1), std::pair(7, 13), std::pair(16, 40),
                                         std::pair(401, 203), std::pair(300, 37)})
      out.push_back({batch, tokens, frames, n_mels});
  }
  return out;
}

using FeaturizeCudaTest = audio::testing_support::GpuTest;

TEST_F(FeaturizeCudaTest, EqualsTheReference) {
  for (const MelOptions& options :
       {MelOptions{}, audio::mel_preset("tacotron2"), sized(512, 100, 400, 13)}) {
    for (const AudioKind kind : {AudioKind::pcm16, AudioKind::mel}) {
      const FeaturizeCuda featurize(options, kind, gpu_->memory(), gpu_->stream());
      for (const BatchShape& shape : various_shapes(options.n_mels)) {
        SCOPED_TRACE(testing::Message()
                     << to_string(kind) << ", " << shape.batch << " clips, " << shape.tokens
                     << " tokens, " << shape.frames << " frames");
        const std::vector<Clip> clips = make_clips(options, shape);
        const Packed packed(*gpu_, kind, clips);
        const Arrays out(*gpu_, shape);
        featurize.apply(packed.view(), shape, out.view(), gpu_->stream());
        expect_mel(options, shape, clips, out.mel.read(*gpu_), kind);
        expect_rest(*gpu_, shape, clips, out);
      }
    }
  }
}

TEST_F(FeaturizeCudaTest, LengthsBeyondTheShapeAreCut) {
  const BatchShape shape{2, 5, 20, 80};
  for (const AudioKind kind : {AudioKind::pcm16, AudioKind::mel}) {
    std::vector<Clip> clips = make_clips(MelOptions{}, {2, 50, 90, 80});
    const Packed packed(*gpu_, kind, clips);
    const FeaturizeCuda featurize(MelOptions{}, kind, gpu_->memory(), gpu_->stream());
    const Arrays out(*gpu_, shape);
    featurize.apply(packed.view(), shape, out.view(), gpu_->stream());
    for (Clip& clip : clips) {
      clip.frames = std::min(clip.frames, shape.frames);
      clip.token_count = std::min(clip.token_count, shape.tokens);
    }
    expect_mel(MelOptions{}, shape, clips, out.mel.read(*gpu_), kind);
    expect_rest(*gpu_, shape, clips, out);
  }
}

TEST_F(FeaturizeCudaTest, CanBeCapturedInAGraphAndNeverAllocates) {
  const BatchShape shape{3, 31, 50, 80};
  const std::vector<Clip> clips = make_clips(MelOptions{}, shape);
  const auto native = static_cast<cudaStream_t>(gpu_->stream().native());
  for (const AudioKind kind : {AudioKind::pcm16, AudioKind::mel}) {
    const FeaturizeCuda featurize(MelOptions{}, kind, gpu_->memory(), gpu_->stream());
    const Packed packed(*gpu_, kind, clips);
    const Arrays out(*gpu_, shape);
    const auto before = gpu_->memory().statistics().allocations;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t program = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(native, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    featurize.apply(packed.view(), shape, out.view(), gpu_->stream());
    ASSERT_EQ(cudaStreamEndCapture(native, &graph), cudaSuccess);
    EXPECT_EQ(gpu_->memory().statistics().allocations, before);
    EXPECT_TRUE(std::isnan(out.mel.read(*gpu_).front())) << "ran while it was captured";
    ASSERT_EQ(cudaGraphInstantiate(&program, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(program, native), cudaSuccess);
    expect_mel(MelOptions{}, shape, clips, out.mel.read(*gpu_), kind);
    expect_rest(*gpu_, shape, clips, out);
    cudaGraphExecDestroy(program);
    cudaGraphDestroy(graph);
  }
}

TEST_F(FeaturizeCudaTest, RefusesABatchItWasNotMadeFor) {
  const FeaturizeCuda featurize(MelOptions{}, AudioKind::mel, gpu_->memory(), gpu_->stream());
  const PackedBatch samples{.batch = 2, .kind = AudioKind::pcm16};
  EXPECT_THAT(error_message([&] { featurize.apply(samples, {2, 5, 5, 80}, {}, gpu_->stream()); }),
              HasSubstr("expected 2 clips as mel with 80 bands, found 2 as pcm16"));
}

}  // namespace
}  // namespace seda::feed
