// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/place.h"

#include "seda/dataset/detail/lines.h"

namespace seda::dataset {

std::string place_of(const Utterance& utterance) {
  return detail::Place{utterance.source, utterance.line}.text();
}

}  // namespace seda::dataset
