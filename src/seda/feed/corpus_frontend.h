// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "seda/dataset/utterance.h"
#include "seda/feed/prepare.h"
#include "seda/text/frontend.h"

namespace seda::feed {

/// The frontend that preparing the corpus would use, without writing anything: a vocabulary that
/// its cache has is taken from there, else learned anew.
std::unique_ptr<text::Frontend> corpus_frontend(const PrepareOptions& options,
                                                const std::vector<dataset::Utterance>& utterances);

}  // namespace seda::feed
