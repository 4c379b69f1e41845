// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/text_plan.h"

namespace seda::feed {

cache::Key text_key(const dataset::Utterance& utterance) {
  Hasher hasher;
  hasher.add(utterance.language);
  hasher.add("\n");
  hasher.add(utterance.text);
  return hasher.digest();
}

TextPlan plan_texts(const std::vector<dataset::Utterance>& utterances, const Previous& previous,
                    bool force) {
  TextPlan plan;
  plan.keys.reserve(utterances.size());
  size_t kept = 0;
  for (size_t i = 0; i < utterances.size(); ++i) {
    const cache::Key key = plan.keys.emplace_back(text_key(utterances[i]));
    const ClipRow* before = previous.find(i, utterances[i].id);
    kept += before != nullptr ? 1 : 0;
    const bool known = previous.entry(before, key).has_value();
    if (known && !force) continue;
    plan.missing.push_back(i);
    ++plan.reasons[known ? "text: forced" : previous.reason(before, key)];
  }
  const size_t before = previous.listing() != nullptr ? previous.listing()->rows().size() : 0;
  if (before > kept) plan.reasons["line gone"] = before - kept;
  return plan;
}

}  // namespace seda::feed
