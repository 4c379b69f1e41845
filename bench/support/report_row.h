// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "seda/base/distribution.h"
#include "seda/base/json.h"

namespace seda::bench {

/// A row as report.py reads it: the median and the p90 of what was measured.
inline Json make_row(const std::string& name, const std::string& unit, const Distribution& values) {
  return {{"name", name},
          {"unit", unit},
          {"median", values.quantile(0.5)},
          {"p90", values.quantile(0.9)},
          {"runs", values.count()}};
}

inline Json make_row(const std::string& name, const std::string& unit, double value) {
  Distribution one;
  one.add(value);
  return make_row(name, unit, one);
}

}  // namespace seda::bench
