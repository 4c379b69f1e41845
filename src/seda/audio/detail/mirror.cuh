// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::audio::detail {

/// Where sample `i` of a clip of `n` is, mirrored at both ends as often as it takes.
__device__ __forceinline__ int mirror(int i, int n) {
  if (i < 0) i = -i;
  if (i >= n) i = 2 * (n - 1) - i;
  if (i >= 0 && i < n) return i;
  if (n == 1) return 0;
  const int period = 2 * (n - 1);
  i = (i % period + period) % period;
  return i < n ? i : period - i;
}

}  // namespace seda::audio::detail
