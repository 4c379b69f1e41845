// SPDX-License-Identifier: Apache-2.0
#include "seda/model/alignment.h"

#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/reference.h"
#include "seda/model/tensor_aligner.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::ints;
using testing_support::largest_difference;
using testing_support::noise_of;

torch::Tensor drawn(torch::IntArrayRef shape, uint64_t seed = 1) {
  torch::manual_seed(seed);
  return torch::randn(shape);
}

TEST(Alignment, LogLikelihoodIsMinusHalfTheSquaredDistance) {
  const auto mean = drawn({2, 3, 6});
  const auto mel = drawn({2, 5, 6}, 2);
  const auto found = log_likelihood(mean, mel);
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t s = 0; s < 3; ++s) {
      for (int64_t t = 0; t < 5; ++t) {
        double sum = 0;
        for (int64_t i = 0; i < 6; ++i)
          sum += std::pow(mel[row][t][i].item<double>() - mean[row][s][i].item<double>(), 2);
        EXPECT_NEAR(found[row][s][t].item<double>(), -0.5 * sum, 1e-5);
      }
    }
  }
}

torch::Tensor prior_at(int64_t update) {
  return diagonal_prior({.token_lengths = ints({2, 3}),
                         .frame_lengths = ints({4, 6}),
                         .tokens = 3,
                         .frames = 6,
                         .update = torch::tensor(update, torch::kInt64)});
}

TEST(Alignment, DiagonalPriorIsTheSquaredDistanceFromTheDiagonal) {
  const auto found = prior_at(250);
  const std::array<double, 2> tokens = {2, 3};
  const std::array<double, 2> frames = {4, 6};
  for (size_t row = 0; row < 2; ++row) {
    for (int s = 0; s < static_cast<int>(tokens[row]); ++s) {
      for (int t = 0; t < static_cast<int>(frames[row]); ++t) {
        const double distance = (s + 0.5) / tokens[row] - (t + 0.5) / frames[row];
        EXPECT_NEAR(found[static_cast<int64_t>(row)][s][t].item<double>(),
                    -0.75 * 500 * distance * distance, 1e-3);
      }
    }
  }
}

TEST(Alignment, DiagonalPriorEnds) {
  EXPECT_GT(prior_at(999).abs().max().item<double>(), 0);
  EXPECT_EQ(prior_at(1000).abs().max().item<double>(), 0);
  EXPECT_EQ(prior_at(50000).abs().max().item<double>(), 0);
}

TEST(Alignment, PathGivesEachTokenItsFrames) {
  const auto found = alignment_path(ints({2, 0, 1, 1, 1, 0}).view({2, 3}), 4);
  const auto expected = torch::tensor({1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  //
                                       1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})
                            .view({2, 4, 3});
  EXPECT_TRUE(torch::equal(found, expected.to(torch::kBool)));
}

TEST(Alignment, UpsamplingRepeatsStatesAndSumsTheirGradients) {
  auto states = drawn({1, 3, 4}).requires_grad_();
  const auto found = upsample(states, alignment_path(ints({2, 1, 3}).view({1, 3}), 7));
  const std::array<int64_t, 6> tokens = {0, 0, 1, 2, 2, 2};
  for (size_t t = 0; t < tokens.size(); ++t)
    EXPECT_TRUE(torch::equal(found[0][static_cast<int64_t>(t)], states[0][tokens[t]]));
  EXPECT_EQ(found[0][6].abs().sum().item<double>(), 0) << "beyond all durations";
  const auto weights = drawn({1, 7, 4}, 2);
  (found * weights).sum().backward();
  EXPECT_LT(largest_difference(states.grad()[0][2], weights[0].slice(0, 3, 6).sum(0)), 1e-6);
}

TEST(TensorAligner, FindsThePathOfTheGreatestSum) {
  // Token 1 explains frames 1 and 2, token 2 the last: 1, 2, 1 frames.
  const auto values = torch::tensor({0.0F, -9.0F, -9.0F, -9.0F,  //
                                     -9.0F, 0.0F, 0.0F, -9.0F,   //
                                     -9.0F, -9.0F, -9.0F, 0.0F})
                          .view({1, 3, 4});
  TensorAligner aligner;
  const auto found = aligner.apply(values, ints({3}), ints({4}));
  EXPECT_TRUE(torch::equal(found, ints({1, 2, 1}).view({1, 3})));
  const auto strided = values.transpose(1, 2).contiguous().transpose(1, 2);
  EXPECT_TRUE(torch::equal(aligner.apply(strided, ints({3}), ints({4})), found));
}

TEST(TensorAligner, OnAGpuFindsThePathsOfTheCpu) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  const auto values = drawn({4, 20, 90});
  const auto tokens = ints({20, 7, 1, 20});
  const auto frames = ints({90, 30, 5, 20});
  TensorAligner aligner;
  const auto expected = aligner.apply(values, tokens, frames);
  const auto found =
      aligner.apply(values.to(torch::kCUDA), tokens.to(torch::kCUDA), frames.to(torch::kCUDA));
  EXPECT_TRUE(torch::equal(found.cpu(), expected));
}

torch::Tensor longs(const std::vector<int64_t>& values) {
  return torch::tensor(values, torch::kInt64);
}

TEST(Reference, RowIsTheNextOfTheSameSpeaker) {
  EXPECT_TRUE(torch::equal(reference_rows(ints({4})), longs({0})));
  EXPECT_TRUE(torch::equal(reference_rows(ints({1, 2, 3})), longs({0, 1, 2})));
  EXPECT_TRUE(torch::equal(reference_rows(ints({1, 1, 1})), longs({1, 2, 0})));
  EXPECT_TRUE(torch::equal(reference_rows(ints({1, 2, 1, 2, 1})), longs({2, 3, 4, 1, 0})));
}

TEST(Reference, IsAPieceOfTheOtherClip) {
  // Each value tells its row and frame.
  const auto rows = torch::arange(3).view({3, 1, 1}) * 1000.0;
  const auto mel = (rows + torch::arange(400).view({1, 400, 1})).expand({3, 400, 2});
  const auto found = draw_reference(mel, ints({400, 300, 100}), ints({1, 2, 1}), noise_of(1));
  EXPECT_TRUE(torch::equal(found.lengths, longs({100, 192, 192})));
  ASSERT_EQ(found.mel.sizes(), torch::IntArrayRef({3, 192, 2}));
  EXPECT_EQ(found.mel[0][0][0].item<double>(), 2000);
  EXPECT_EQ(found.mel[0][99][0].item<double>(), 2099);
  const double begin = found.mel[2][0][0].item<double>();
  EXPECT_GE(begin, 0);
  EXPECT_LE(begin, 400 - 192);
  EXPECT_EQ(found.mel[2][191][0].item<double>(), begin + 191);
}

TEST(Reference, BeginsAnywhereInsideTheClip) {
  const auto mel = torch::arange(195.0).view({1, 195, 1});
  std::set<double> begins;
  for (int64_t update = 0; update < 60; ++update)
    begins.insert(
        draw_reference(mel, ints({195}), ints({0}), noise_of(update)).mel[0][0][0].item<double>());
  EXPECT_EQ(begins, (std::set<double>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace seda::model
