// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "seda/dataset/utterance.h"
#include "seda/feed/previous.h"

namespace seda::feed {

/// Fills in the length of clips whose metadata says none: from the last listing where the file is
/// the same, else from the header of a wav file. Other files stay without one.
void fill_durations(std::vector<dataset::Utterance>& utterances, const Previous& previous,
                    int threads);

}  // namespace seda::feed
