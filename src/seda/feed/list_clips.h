// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/cache/cache.h"
#include "seda/dataset/corpus.h"
#include "seda/feed/listing.h"
#include "seda/feed/previous.h"
#include "seda/feed/text_plan.h"

namespace seda::feed {

/// The listing of a corpus whose texts are all in `texts`. What the last listing says of an
/// unchanged line is taken over without reading its record. A record that cannot be read leaves a
/// row without symbols.
ListingWriter list_clips(const dataset::Corpus& corpus, const TextPlan& plan,
                         const cache::Table& texts, const Previous& previous);

}  // namespace seda::feed
