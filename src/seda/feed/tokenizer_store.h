// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "seda/cache/cache.h"
#include "seda/cache/writer.h"
#include "seda/dataset/utterance.h"
#include "seda/feed/text_options.h"

namespace seda::feed {

/// What a learned vocabulary depends on beside the corpus: the description of its table.
Json vocabulary_description(const TextOptions& options);

/// The tokenizer for a corpus.
///
/// A vocabulary of word pieces is learned from the training lines and kept in the cache: it stays
/// the same when lines change later, so that a new line does not number all others anew. `force`
/// learns it again. `writer` may be null: what was learned is then not kept.
std::shared_ptr<const text::Tokenizer> corpus_tokenizer(
    const TextOptions& options, const std::vector<dataset::Utterance>& utterances,
    const cache::Cache* cache, cache::Writer* writer, bool force);

}  // namespace seda::feed
