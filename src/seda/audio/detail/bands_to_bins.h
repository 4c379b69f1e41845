// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "seda/audio/spectrum.h"

namespace seda::audio::detail {

/// Real parts of `bins` as `matrix`, `[bins, bands]`, times those of `bands`, held at zero.
void bands_to_bins(std::span<const float> matrix, const Spectrum& bands, Spectrum& bins);

}  // namespace seda::audio::detail
