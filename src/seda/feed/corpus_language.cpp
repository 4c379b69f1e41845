// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/corpus_language.h"

#include <algorithm>
#include <map>

#include "seda/text/language.h"

namespace seda::feed {
namespace {

constexpr size_t kSample = 64;  // lines, spread over the corpus

using Votes = std::map<std::string, size_t>;

std::string winner(const Votes& votes) {
  const auto most =
      std::ranges::max_element(votes, {}, [](const auto& entry) { return entry.second; });
  return most == votes.end() ? "en" : most->first;
}

Votes named(const std::vector<dataset::Utterance>& utterances) {
  Votes votes;
  for (const dataset::Utterance& utterance : utterances) {
    if (!utterance.language.empty()) ++votes[utterance.language];
  }
  return votes;
}

/// Only lines that tell have a vote.
Votes detected(const std::vector<dataset::Utterance>& utterances) {
  Votes votes;
  const size_t step = std::max<size_t>(1, utterances.size() / kSample);
  for (size_t i = 0; i < utterances.size(); i += step) {
    const text::Language language = text::detect_language(utterances[i].text, "");
    if (language.source != text::LanguageSource::fallback) ++votes[language.code];
  }
  return votes;
}

}  // namespace

std::string corpus_language(const std::vector<dataset::Utterance>& utterances) {
  const Votes said = named(utterances);
  return winner(said.empty() ? detected(utterances) : said);
}

}  // namespace seda::feed
