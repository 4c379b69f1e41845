// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/corpus_frontend.h"

#include "seda/base/error.h"
#include "seda/cache/cache.h"
#include "seda/feed/corpus_language.h"
#include "seda/feed/default_cache.h"
#include "seda/feed/tokenizer_store.h"

namespace seda::feed {
namespace {

/// Nothing also where it is damaged: whoever wants no cache is not told of it.
std::optional<cache::Cache> open_cache(const PrepareOptions& options) {
  try {
    return cache::Cache::open(options.cache.empty() ? default_cache(options.corpus)
                                                    : options.cache);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::unique_ptr<text::Frontend> corpus_frontend(const PrepareOptions& options,
                                                const std::vector<dataset::Utterance>& utterances) {
  const auto cache = open_cache(options);
  const auto tokenizer =
      corpus_tokenizer(options.text, utterances, cache ? &*cache : nullptr, nullptr, false);
  text::FrontendOptions frontend = options.text.frontend;
  frontend.fallback_language = corpus_language(utterances);
  return std::make_unique<text::Frontend>(frontend, tokenizer);
}

}  // namespace seda::feed
