// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "seda/dataset/utterance.h"

namespace seda::dataset {

/// Whether the clip is held out when `share` of all are: by the hash of its id alone, so that new
/// clips move no other.
bool is_held_out(std::string_view id, double share);

/// Splits by `is_held_out`. At least one clip stays in train; at least one is held out where there
/// are ten or more and `share` is not 0. `share` outside [0, 1) is an Error(usage).
void split_by_hash(std::vector<Utterance>& utterances, double share);

/// Splits by a list: what it names is held out, all else is not. A list that names every clip is an
/// Error(usage).
void split_by_list(std::vector<Utterance>& utterances,
                   const std::unordered_set<std::string_view>& ids);

}  // namespace seda::dataset
