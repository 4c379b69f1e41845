// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "seda/cache/record.h"
#include "seda/dataset/utterance.h"
#include "seda/feed/previous.h"

namespace seda::feed {

/// What the text of a clip is found by: the line and its language in the metadata.
cache::Key text_key(const dataset::Utterance& utterance);

/// Which lines of a corpus must be read, and why.
struct TextPlan {
  std::vector<cache::Key> keys;             ///< Of each utterance.
  std::vector<size_t> missing;              ///< Utterances whose line must be read.
  std::map<std::string, uint64_t> reasons;  ///< How many for each reason, and lines that are gone.
};

/// Looks each line up. With `force` all are missing.
TextPlan plan_texts(const std::vector<dataset::Utterance>& utterances, const Previous& previous,
                    bool force);

}  // namespace seda::feed
