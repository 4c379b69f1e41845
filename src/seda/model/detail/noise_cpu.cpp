// SPDX-License-Identifier: Apache-2.0
#include "seda/model/detail/noise_cpu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace seda::model::detail {
namespace {

using Group = std::array<float, kNoiseGroup>;

/// Box–Muller: two normal numbers of two words.
void normal_pair(uint32_t first, uint32_t second, float* values) {
  const float radius = std::sqrt(-2.0F * std::log(noise_positive_fraction(first)));
  const float angle = 2.0F * std::numbers::pi_v<float> * noise_fraction(second);
  values[0] = radius * std::cos(angle);
  values[1] = radius * std::sin(angle);
}

Group group_of(const NoiseTask& task, const PhiloxCounter& random) {
  Group values{};
  if (task.kind == NoiseKind::normal) {
    normal_pair(random.words[0], random.words[1], values.data());
    normal_pair(random.words[2], random.words[3], values.data() + 2);
    return values;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const float fraction = noise_fraction(random.words[i]);
    const float kept = fraction < task.keep ? 1.0F / task.keep : 0.0F;
    values[i] = task.kind == NoiseKind::uniform ? fraction : kept;
  }
  return values;
}

}  // namespace

void fill_noise_cpu(const NoiseTask& task, int64_t begin, int64_t end) {
  const auto batch = static_cast<uint64_t>(*task.batch);
  for (int64_t row = begin; row < end; ++row) {
    for (int64_t group = 0; group < noise_groups(task); ++group) {
      const Group values = group_of(task, noise_words(task, batch, row, group));
      const int64_t first = group * kNoiseGroup;
      const int64_t count = std::min<int64_t>(kNoiseGroup, task.row_size - first);
      std::copy_n(values.data(), count, task.values + row * task.row_size + first);
    }
  }
}

}  // namespace seda::model::detail
