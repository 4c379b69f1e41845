// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/simd_levels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/highway.h>

#include "seda/base/error.h"

namespace seda::audio::detail {

std::vector<std::string> simd_levels() {
  std::vector<std::string> names;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets())
    names.emplace_back(hwy::TargetName(target));
  return names;
}

ForceSimdLevel::ForceSimdLevel(std::string_view name) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name != hwy::TargetName(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    return;
  }
  throw_error(ErrorKind::usage, "SIMD level: expected one of {}, found '{}'",
              fmt::join(simd_levels(), ", "), name);
}

ForceSimdLevel::~ForceSimdLevel() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace seda::audio::detail
