// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/fft_plan.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace seda::audio::detail {
namespace {

int divide_out(size_t& n, size_t factor) {
  int count = 0;
  for (; n % factor == 0; n /= factor)
    ++count;
  return count;
}

/// As many passes of 8 as leave no 2 alone; the large ones first.
std::vector<int> radices_of(size_t points) {
  const int twos = divide_out(points, 2);
  const int threes = divide_out(points, 3);
  const int fives = divide_out(points, 5);
  const bool two_fours = twos % 3 == 1 && twos > 1;
  const int eights = twos / 3 - (two_fours ? 1 : 0);
  const int fours = two_fours ? 2 : (twos % 3 == 2 ? 1 : 0);
  std::vector<int> radices;
  radices.insert(radices.end(), static_cast<size_t>(eights), 8);
  radices.insert(radices.end(), static_cast<size_t>(fours), 4);
  radices.insert(radices.end(), static_cast<size_t>(fives), 5);
  radices.insert(radices.end(), static_cast<size_t>(threes), 3);
  if (twos == 1) radices.push_back(2);
  return radices;
}

std::pair<double, double> turn(size_t numerator, size_t denominator) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(numerator % denominator) /
                       static_cast<double>(denominator);
  return {std::cos(angle), std::sin(angle)};
}

void add_twiddles(const FftPass& pass, std::vector<float>& twiddles) {
  const auto radix = static_cast<size_t>(pass.radix);
  for (size_t j = 0; j < pass.span; ++j) {
    for (size_t p = 1; p < radix; ++p) {
      const auto [cosine, sine] = turn(j * p, pass.span * radix);
      twiddles.push_back(static_cast<float>(cosine));
      twiddles.push_back(static_cast<float>(sine));
    }
  }
}

void add_passes(FftPlan& plan) {
  size_t span = plan.points;
  for (const int radix : radices_of(plan.points)) {
    span /= static_cast<size_t>(radix);
    plan.passes.push_back({radix, span, plan.twiddles.size()});
    if (span > 1) add_twiddles(plan.passes.back(), plan.twiddles);
  }
}

/// One more than a block has: blocks whose distance is a power of two would fight for the same few
/// places in the cache.
size_t stride_of(const FftPass& first) {
  return first.span + 1;
}

/// Every pass takes the lowest digit of k to the highest place that is left.
uint32_t position_of(const FftPlan& plan, size_t k) {
  size_t position = 0;
  for (const FftPass& pass : plan.passes) {
    const size_t stride = &pass == &plan.passes.front() ? plan.block_stride : pass.span;
    position += k % static_cast<size_t>(pass.radix) * stride;
    k /= static_cast<size_t>(pass.radix);
  }
  return static_cast<uint32_t>(position);
}

FftPair make_pair_of(const FftPlan& plan, size_t k) {
  const auto [cosine, sine] = turn(k, plan.n_fft);
  return {plan.position[k % plan.points], plan.position[(plan.points - k) % plan.points],
          static_cast<uint32_t>(k),       static_cast<uint32_t>(plan.points - k),
          static_cast<float>(cosine),     static_cast<float>(sine)};
}

/// The first of two bins is the wanted one, where only one is.
void add_pairs(FftPlan& plan, size_t residue, size_t first, size_t end) {
  const auto radix = static_cast<size_t>(plan.passes.front().radix);
  const bool own_mirror = residue == 0 || 2 * residue == radix;
  const size_t last = own_mirror ? plan.points / 2 : plan.points - 1;
  const auto wanted = [&](size_t bin) { return bin >= first && bin < end; };
  FftPairs group{static_cast<int>(residue), plan.pairs.size(), 0, 0};
  std::vector<FftPair> one_wanted;
  for (size_t k = residue; k <= last; k += radix) {
    const size_t mirror = plan.points - k;
    if (wanted(k) && wanted(mirror)) plan.pairs.push_back(make_pair_of(plan, k));
    if (wanted(k) && !wanted(mirror)) one_wanted.push_back(make_pair_of(plan, k));
    if (!wanted(k) && wanted(mirror)) one_wanted.push_back(make_pair_of(plan, mirror));
  }
  group.one_wanted = plan.pairs.size();
  plan.pairs.insert(plan.pairs.end(), one_wanted.begin(), one_wanted.end());
  group.end = plan.pairs.size();
  plan.pair_groups.push_back(group);
}

}  // namespace

size_t fft_memory(const FftPlan& plan) {
  return plan.block_stride * static_cast<size_t>(plan.passes.front().radix);
}

FftPlan make_fft_plan(size_t n_fft, size_t first, size_t end) {
  FftPlan plan;
  plan.n_fft = n_fft;
  plan.points = n_fft / 2;
  add_passes(plan);
  plan.block_stride = stride_of(plan.passes.front());
  for (size_t k = 0; k < plan.points; ++k)
    plan.position.push_back(position_of(plan, k));
  const auto radix = static_cast<size_t>(plan.passes.front().radix);
  for (size_t residue = 0; residue <= radix / 2; ++residue)
    add_pairs(plan, residue, first, end);
  return plan;
}

}  // namespace seda::audio::detail
