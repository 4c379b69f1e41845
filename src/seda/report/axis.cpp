// SPDX-License-Identifier: Apache-2.0
#include "seda/report/axis.h"

#include <cmath>

namespace seda::report {

double round_distance(double span, int count) {
  const double raw = span / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (raw <= times * power * 1.0001) return times * power;
  }
  return 10 * power;
}

std::vector<double> round_ticks(double last, int count) {
  std::vector<double> out;
  if (!(last > 0)) return {0};
  const double distance = round_distance(last, count);
  for (int i = 0; i * distance <= last * 1.0001; ++i)
    out.push_back(i * distance);
  return out;
}

}  // namespace seda::report
