// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/start_up.h"

#include <algorithm>

#include <fmt/format.h>

namespace seda::diagnose {
namespace {

constexpr double kShare = 0.05;      // of the clips, made again
constexpr double kSeconds = 0.05;    // that it takes to matter,
constexpr double kManyShare = 0.25;  // or so many clips, however fast
constexpr double kManyClips = 8;

}  // namespace

bool StartUp::is_rebuilt() const {
  const auto made = static_cast<double>(made_again);
  const auto all = static_cast<double>(clips);
  if (state_again != "built" || made == 0 || made < kShare * all) return false;
  return made >= std::max(kManyClips, kManyShare * all) || open_again_s >= kSeconds;
}

std::string words_of(const Reasons& reasons) {
  std::string out;
  for (const auto& [reason, clips] : reasons)
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", reason, clips);
  return out.empty() ? "no reason given" : out;
}

}  // namespace seda::diagnose
