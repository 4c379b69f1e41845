// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/dataset/utterance.h"

namespace seda::dataset {

/// Where an utterance stands, for messages: "metadata.csv:12"; the file alone where it holds one
/// text.
std::string place_of(const Utterance& utterance);

}  // namespace seda::dataset
