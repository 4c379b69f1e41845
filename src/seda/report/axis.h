// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace seda::report {

/// 1, 2 or 5 times a power of ten, so that `span`, above 0, has about `count` of them.
double round_distance(double span, int count);

/// Round values from 0 up to `last`, about `count` of them.
std::vector<double> round_ticks(double last, int count);

}  // namespace seda::report
