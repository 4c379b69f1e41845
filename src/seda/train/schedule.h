// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/config/config.h"

namespace seda::train {

enum class Decay { constant, linear, cosine, exponential, inverse_sqrt };

/// How the learning rate rises and falls.
///
/// Over the first `warmup` updates it rises linearly to `peak`: update n has peak · (n + 1) /
/// warmup. Then, with p the share of the rest that is done and f = `final_share`:
///
///     constant      peak
///     linear        peak · (1 - p · (1 - f))
///     cosine        peak · (f + (1 - f) · (1 + cos(π p)) / 2)
///     exponential   peak · f^p, where f is at least 1e-6
///     inverse_sqrt  peak · sqrt(max(warmup, 1) / (n + 1)), whatever f is
struct Schedule {
  Decay decay = Decay::cosine;
  double peak = 2e-4;
  uint64_t warmup = 500;
  uint64_t total = 0;  ///< Updates of the run; later ones have the last one's rate.
  double final_share = 0.01;

  double at(uint64_t update) const;
  bool operator==(const Schedule&) const = default;
};

/// What the keys `training.*` ask for, in a run of `total` updates; the default warm-up is at most
/// a tenth of it.
Schedule schedule(const config::Config& config, uint64_t total);

}  // namespace seda::train
