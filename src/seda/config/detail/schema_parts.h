// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <vector>

#include "seda/config/schema.h"

namespace seda::config::detail {

/// The schema, one part a section; `keys` joins them.
std::vector<Key> data_keys();
std::vector<Key> feature_keys();  ///< data.mel, data.text, data.audio
std::vector<Key> model_keys();
std::vector<Key> training_keys();
std::vector<Key> debug_keys();

std::vector<Key> join(std::initializer_list<std::vector<Key> (*)()> parts);

}  // namespace seda::config::detail
