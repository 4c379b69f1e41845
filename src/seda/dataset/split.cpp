// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/split.h"

#include <algorithm>
#include <cmath>

#include "seda/base/error.h"
#include "seda/base/hash.h"

namespace seda::dataset {
namespace {

constexpr size_t kEnoughToHoldOut = 10;

uint64_t rank(const Utterance& utterance) {
  return hash64(utterance.id);
}

bool all_are(const std::vector<Utterance>& utterances, Split split) {
  return std::ranges::all_of(utterances, [&](const Utterance& u) { return u.split == split; });
}

}  // namespace

bool is_held_out(std::string_view id, double share) {
  return static_cast<double>(hash64(id) >> 11) * 0x1p-53 < share;
}

void split_by_hash(std::vector<Utterance>& utterances, double share) {
  if (std::isnan(share) || share < 0 || share >= 1) {
    throw_error(ErrorKind::usage, "validation share: expected 0 to under 1, found {}", share);
  }
  for (Utterance& utterance : utterances) {
    utterance.split = is_held_out(utterance.id, share) ? Split::validation : Split::train;
  }
  if (utterances.empty() || share == 0) return;
  if (all_are(utterances, Split::validation)) {
    std::ranges::max_element(utterances, {}, rank)->split = Split::train;
  } else if (utterances.size() >= kEnoughToHoldOut && all_are(utterances, Split::train)) {
    std::ranges::min_element(utterances, {}, rank)->split = Split::validation;
  }
}

void split_by_list(std::vector<Utterance>& utterances,
                   const std::unordered_set<std::string_view>& ids) {
  for (Utterance& utterance : utterances) {
    utterance.split = ids.contains(utterance.id) ? Split::validation : Split::train;
  }
  if (!utterances.empty() && all_are(utterances, Split::validation)) {
    throw_error(ErrorKind::usage,
                "the validation list names all {} clips: expected some to be left for training",
                utterances.size());
  }
}

}  // namespace seda::dataset
