// SPDX-License-Identifier: Apache-2.0
// The logarithm of vectors, on every instruction set, against the library's in double precision.
#include <bit>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>

#include "seda/audio/detail/simd_levels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/audio/log_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "seda/audio/detail/log_inl.h"

HWY_BEFORE_NAMESPACE();
namespace seda::audio::HWY_NAMESPACE {

/// Replaces values, a multiple of 16 of them, by their logarithms.
void take_logs(std::vector<float>& values) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < values.size(); i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, values.data() + i);
    hn::StoreU(detail::HWY_NAMESPACE::natural_log(d, x), d, values.data() + i);
  }
}

}  // namespace seda::audio::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace seda::audio {

HWY_EXPORT(take_logs);

namespace {

class Log : public testing::TestWithParam<std::string> {
 protected:
  static std::vector<float> logs(std::vector<float> values) {
    values.resize((values.size() + 15) / 16 * 16, 1.0F);
    HWY_DYNAMIC_DISPATCH(take_logs)(values);
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(Simd, Log, testing::ValuesIn(detail::simd_levels()),
                         [](const auto& level) { return level.param; });

/// Distance of `got` from the exact value, in units of the last place of a float.
double ulps(float got, double want) {
  const float near = std::abs(static_cast<float>(want));
  const double unit = std::nextafter(near, INFINITY) - static_cast<double>(near);
  return std::abs(got - want) / unit;
}

TEST_P(Log, IsWithinTwoUnitsOfTheLastPlace) {
  const detail::ForceSimdLevel level(GetParam());
  std::vector<float> values;
  for (uint32_t bits = 0x00800000; bits < 0x7f800000; bits += 1009)
    values.push_back(std::bit_cast<float>(bits));
  const auto got = logs(values);
  double worst = 0;
  for (size_t i = 0; i < values.size(); ++i)
    worst = std::max(worst, ulps(got[i], std::log(static_cast<double>(values[i]))));
  std::cout << "  largest error: " << worst << " units of the last place\n";
  EXPECT_LE(worst, 2);
}

TEST_P(Log, NearOneIsAccurateToo) {
  const detail::ForceSimdLevel level(GetParam());
  std::vector<float> values;
  for (uint32_t bits = 0x3f700000; bits < 0x3f900000; bits += 3)
    values.push_back(std::bit_cast<float>(bits));
  const auto got = logs(values);
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_LE(ulps(got[i], std::log(static_cast<double>(values[i]))), 2) << values[i];
  EXPECT_EQ(logs({1.0F})[0], 0.0F);
}

}  // namespace
}  // namespace seda::audio
#endif  // HWY_ONCE
