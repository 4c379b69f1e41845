// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/dataset/utterance.h"

namespace seda::feed {

/// The language of a corpus, for lines too short to tell: the one most lines name in the metadata,
/// else the one most of a sample of its lines are in.
std::string corpus_language(const std::vector<dataset::Utterance>& utterances);

}  // namespace seda::feed
