// SPDX-License-Identifier: Apache-2.0
#include "bench/support/fma_peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/support/fma_peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace seda::bench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Ten sums, enough to hide the latency of an addition on every current core.
double run(size_t rounds) {
  const hn::ScalableTag<float> d;
  const auto scale = hn::Set(d, 0.999F);
  const auto step = hn::Set(d, 0.001F);
  auto a = hn::Zero(d), b = a, c = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a;
  for (size_t round = 0; round < rounds; ++round) {
    a = hn::MulAdd(a, scale, step);
    b = hn::MulAdd(b, scale, step);
    c = hn::MulAdd(c, scale, step);
    e = hn::MulAdd(e, scale, step);
    f = hn::MulAdd(f, scale, step);
    g = hn::MulAdd(g, scale, step);
    h = hn::MulAdd(h, scale, step);
    i = hn::MulAdd(i, scale, step);
    j = hn::MulAdd(j, scale, step);
    k = hn::MulAdd(k, scale, step);
  }
  const auto all = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)),
                           hn::Add(hn::Add(hn::Add(f, g), hn::Add(h, i)), hn::Add(j, k)));
  const double kept = hn::GetLane(all) < 0 ? 1 : 0;  // never, but the sums must be made
  return 2.0 * 10 * static_cast<double>(hn::Lanes(d) * rounds) + kept;
}

}  // namespace
}  // namespace seda::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace seda::bench {

HWY_EXPORT(run);

double run_fused_operations(size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(run)(rounds);
}

}  // namespace seda::bench
#endif
