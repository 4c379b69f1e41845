// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/base/result.h"
#include "seda/dataset/utterance.h"

namespace seda::feed {

/// The fault of a line of which nothing is left to speak.
Fault silent_text(const dataset::Utterance& utterance);

}  // namespace seda::feed
