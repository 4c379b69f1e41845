// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/silent_text.h"

#include <fmt/format.h>

#include "seda/base/utf8.h"
#include "seda/dataset/place.h"

namespace seda::feed {
namespace {

constexpr size_t kExcerpt = 80;

}  // namespace

Fault silent_text(const dataset::Utterance& utterance) {
  return {utterance.id, "text_silent",
          fmt::format("{}: nothing is left to speak of '{}'", dataset::place_of(utterance),
                      excerpt(utterance.text, kExcerpt))};
}

}  // namespace seda::feed
