// SPDX-License-Identifier: Apache-2.0
#include "seda/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

#include "seda/base/error.h"

namespace seda::train {
namespace {

Decay decay_of(std::string_view word) {
  constexpr std::pair<std::string_view, Decay> kWords[] = {{"constant", Decay::constant},
                                                           {"linear", Decay::linear},
                                                           {"cosine", Decay::cosine},
                                                           {"exponential", Decay::exponential},
                                                           {"inverse_sqrt", Decay::inverse_sqrt}};
  for (const auto& [name, decay] : kWords) {
    if (name == word) return decay;
  }
  throw_error(ErrorKind::internal, "training.schedule: no rule for '{}'", word);
}

/// Of the updates after the warm-up.
double share_done(const Schedule& schedule, uint64_t update) {
  if (schedule.total <= schedule.warmup + 1) return 1;
  const auto rest = static_cast<double>(schedule.total - schedule.warmup - 1);
  return std::min(1.0, static_cast<double>(update - schedule.warmup) / rest);
}

}  // namespace

double Schedule::at(uint64_t update) const {
  if (update < warmup) {
    return peak * static_cast<double>(update + 1) / static_cast<double>(warmup);
  }
  const double done = share_done(*this, update);
  switch (decay) {
    case Decay::constant:
      return peak;
    case Decay::linear:
      return peak * (1 - done * (1 - final_share));
    case Decay::cosine:
      return peak * (final_share + (1 - final_share) * (1 + std::cos(std::numbers::pi * done)) / 2);
    case Decay::exponential:
      return peak * std::pow(std::max(final_share, 1e-6), done);
    case Decay::inverse_sqrt:
      return peak * std::sqrt(static_cast<double>(std::max<uint64_t>(warmup, 1)) /
                              static_cast<double>(update + 1));
  }
  return peak;
}

Schedule schedule(const config::Config& config, uint64_t total) {
  constexpr const char* kWarmup = "training.warmup_steps";
  auto warmup = static_cast<uint64_t>(config.integer(kWarmup));
  if (!config.is_wanted(kWarmup)) warmup = std::min(warmup, total / 10);
  return {.decay = decay_of(config.text("training.schedule")),
          .peak = config.number("training.lr"),
          .warmup = warmup,
          .total = total,
          .final_share = config.number("training.final_lr_share")};
}

}  // namespace seda::train
