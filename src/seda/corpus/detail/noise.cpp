// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/detail/noise.h"

#include "seda/base/random.h"

namespace seda::corpus::detail {
namespace {

thread_local Random noise{0};

}  // namespace

void seed_noise(uint64_t seed) {
  noise = Random(seed);
}

extern "C" __attribute__((visibility("default"))) int rand() {
  return static_cast<int>(noise() >> 33);
}

}  // namespace seda::corpus::detail
