// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/load_voices.h"

#include "seda/base/own_library.h"

namespace seda::corpus {

const VoicesLibrary& load_voices() {
  static const auto& voices =
      open_own_library<VoicesLibrary>("libseda_voices.so", "seda_voices_library", kVoicesInterface);
  return voices;
}

}  // namespace seda::corpus
