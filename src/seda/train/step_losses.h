// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::train {

/// What one batch left.
struct StepLosses {
  float total = 0;
  float prior = 0;          ///< Distance of the aligned text's mean from the mel.
  float duration = 0;       ///< Of log durations, squared.
  float flow = 0;           ///< Of velocities, squared.
  float gradient_norm = 0;  ///< Before clipping; 0 where the batch ended no update.
  bool finite = true;  ///< Off: this or an earlier batch was not; since then nothing was updated.
};

}  // namespace seda::train
