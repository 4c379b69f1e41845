// SPDX-License-Identifier: Apache-2.0
#include "seda/model/noise.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/detail/philox.h"
#include "seda/model/dropout.h"

namespace seda::model {
namespace {

using Words = std::array<uint32_t, 4>;

/// Philox as its paper writes it: ten rounds of two wide products, with a key that is raised
/// between rounds.
Words naive_philox(Words x, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      key0 += 0x9E3779B9U;
      key1 += 0xBB67AE85U;
    }
    const uint64_t a = uint64_t{0xD2511F53U} * x[0];
    const uint64_t b = uint64_t{0xCD9E8D57U} * x[2];
    x = {static_cast<uint32_t>(b / 4294967296U) ^ x[1] ^ key0,
         static_cast<uint32_t>(b % 4294967296U),
         static_cast<uint32_t>(a / 4294967296U) ^ x[3] ^ key1,
         static_cast<uint32_t>(a % 4294967296U)};
  }
  return x;
}

Words philox_words(const Words& counter, uint32_t key0, uint32_t key1) {
  const auto found =
      detail::philox({{counter[0], counter[1], counter[2], counter[3]}}, {{key0, key1}});
  return {found.words[0], found.words[1], found.words[2], found.words[3]};
}

/// Of a row and an element, as noise.h says.
uint32_t word_of(uint64_t seed, int64_t update, NoiseUse use, uint32_t site, uint32_t row,
                 uint32_t element) {
  const Words counter = {element / 4, row, static_cast<uint32_t>(update),
                         static_cast<uint32_t>(use) << 16 | site};
  return naive_philox(counter, static_cast<uint32_t>(seed),
                      static_cast<uint32_t>(seed >> 32))[element % 4];
}

constexpr uint64_t kSeed = 0x123456789ABCDEFULL;

Noise noise_at(int64_t update, int rank = 0, int ranks = 1) {
  return {kSeed, torch::tensor(update, torch::kInt64), rank, ranks};
}

TEST(Philox, GivesThePublishedVectors) {
  // kat_vectors of Random123: philox4x32, 10 rounds.
  EXPECT_EQ(philox_words({0, 0, 0, 0}, 0, 0),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox_words({kOnes, kOnes, kOnes, kOnes}, kOnes, kOnes),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox_words({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Noise, UniformIsTheWordOfItsPlace) {
  const auto values = noise_at(17).uniform({3, 5, 2}, NoiseUse::time, 9).view({3, 10});
  for (uint32_t row = 0; row < 3; ++row) {
    for (uint32_t element = 0; element < 10; ++element) {
      const uint32_t word = word_of(kSeed, 17, NoiseUse::time, 9, row, element);
      EXPECT_EQ(values[row][element].item<double>(), (word >> 8) / 16777216.0);
    }
  }
}

TEST(Noise, NormalIsBoxAndMullersOfPairs) {
  const auto values = noise_at(3).normal({2, 6}, NoiseUse::start);
  for (uint32_t row = 0; row < 2; ++row) {
    for (uint32_t element = 0; element < 6; ++element) {
      const uint32_t pair = element / 2 * 2;
      const uint32_t first = word_of(kSeed, 3, NoiseUse::start, 0, row, pair);
      const uint32_t second = word_of(kSeed, 3, NoiseUse::start, 0, row, pair + 1);
      const double radius = std::sqrt(-2 * std::log(((first >> 8) + 1) / 16777216.0));
      const double angle = 2 * std::numbers::pi * (second >> 8) / 16777216.0;
      const double expected = radius * (element % 2 == 0 ? std::cos(angle) : std::sin(angle));
      EXPECT_NEAR(values[row][element].item<double>(), expected, 2e-6);
    }
  }
}

TEST(Noise, NormalHasMeanZeroAndDeviationOne) {
  const auto values = noise_at(0).normal({16, 20000}, NoiseUse::start).to(torch::kFloat64);
  EXPECT_NEAR(values.mean().item<double>(), 0, 0.01);
  EXPECT_NEAR(values.std().item<double>(), 1, 0.01);
  EXPECT_NEAR(values.pow(4).mean().item<double>(), 3, 0.1);
}

TEST(Noise, UniformIsInsideItsRangeAndEven) {
  const auto values = noise_at(0).uniform({16, 20000}, NoiseUse::time).to(torch::kFloat64);
  EXPECT_GE(values.min().item<double>(), 0);
  EXPECT_LT(values.max().item<double>(), 1);
  EXPECT_NEAR(values.mean().item<double>(), 0.5, 0.005);
  EXPECT_NEAR(values.var().item<double>(), 1.0 / 12, 0.002);
}

TEST(Noise, RowsOfTwoRanksAreThoseOfOne) {
  const auto all = noise_at(5).normal({6, 7}, NoiseUse::start);
  for (int rank = 0; rank < 2; ++rank) {
    const auto mine = noise_at(5, rank, 2).normal({3, 7}, NoiseUse::start);
    EXPECT_TRUE(torch::equal(mine, all.slice(0, rank, 6, 2)));
    EXPECT_TRUE(torch::equal(noise_at(5, rank, 2).rows(3), torch::arange(rank, 6, 2)));
    EXPECT_TRUE(torch::equal(noise_at(5, rank, 2).common().normal({6, 7}, NoiseUse::start), all));
  }
}

TEST(Noise, ALongerRowBeginsLikeAShorterOne) {
  const auto short_row = noise_at(5).normal({2, 7}, NoiseUse::start);
  const auto long_row = noise_at(5).normal({2, 30}, NoiseUse::start);
  EXPECT_TRUE(torch::equal(long_row.narrow(1, 0, 7), short_row));
}

TEST(Noise, SeedUpdateUseAndSiteEachMatter) {
  const auto values = noise_at(5).uniform({2, 8}, NoiseUse::time, 1);
  const auto differs = [&](const torch::Tensor& other) {
    return (other != values).sum().item<int64_t>() > 12;
  };
  EXPECT_TRUE(differs(noise_at(6).uniform({2, 8}, NoiseUse::time, 1)));
  EXPECT_TRUE(differs(noise_at(5).uniform({2, 8}, NoiseUse::start, 1)));
  EXPECT_TRUE(differs(noise_at(5).uniform({2, 8}, NoiseUse::time, 2)));
  const Noise other(kSeed + (1ULL << 40), torch::tensor(5, torch::kInt64));
  EXPECT_TRUE(differs(other.uniform({2, 8}, NoiseUse::time, 1)));
}

TEST(Noise, ReadsTheBatchWhenItDraws) {
  const auto batch = torch::tensor(5, torch::kInt64);
  const Noise noise(kSeed, batch);
  batch.add_(1);
  EXPECT_TRUE(torch::equal(noise.uniform({2, 8}, NoiseUse::time),
                           noise_at(6).uniform({2, 8}, NoiseUse::time)));
}

TEST(Noise, KnowsTheUpdateOfABatch) {
  const auto batch = torch::tensor(11, torch::kInt64);
  EXPECT_EQ(Noise(kSeed, batch).update().item<int64_t>(), 11);
  EXPECT_EQ(Noise(kSeed, batch, 0, 1, 4).update().item<int64_t>(), 2);
}

TEST(Noise, OnAGpuIsThatOfTheCpu) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  const Noise there(kSeed, torch::tensor(5, torch::kInt64).to(torch::kCUDA), 1, 2);
  const Noise here = noise_at(5, 1, 2);
  EXPECT_TRUE(torch::equal(there.uniform({3, 33}, NoiseUse::time).cpu(),
                           here.uniform({3, 33}, NoiseUse::time)));
  EXPECT_TRUE(torch::equal(there.keep({3, 33}, 0.8, 4).cpu(), here.keep({3, 33}, 0.8, 4)));
  const auto normal = there.normal({3, 33}, NoiseUse::start).cpu();
  EXPECT_LT((normal - here.normal({3, 33}, NoiseUse::start)).abs().max().item<double>(), 1e-5);
}

TEST(Dropout, KeepsWhatIsBelowTheShareAndScalesIt) {
  const Noise noise = noise_at(5);
  const auto u = noise.uniform({4, 500}, NoiseUse::dropout, 3);
  const auto found = dropout(torch::full({4, 500}, 3.0F), {.rate = 0.25, .site = 3}, &noise);
  EXPECT_TRUE(torch::allclose(found, (u < 0.75).to(torch::kFloat32) * 4));
  EXPECT_NEAR(found.mean().item<double>(), 3, 0.15);
}

TEST(Dropout, DoesNothingWithoutNoiseOrRate) {
  const Noise noise = noise_at(5);
  const auto x = torch::ones({2, 3});
  EXPECT_TRUE(dropout(x, {.rate = 0.5}, nullptr).is_same(x));
  EXPECT_TRUE(dropout(x, {.rate = 0}, &noise).is_same(x));
}

}  // namespace
}  // namespace seda::model
