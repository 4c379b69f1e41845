// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/load_voices.h"

#include "seda/base/own_library.h"

namespace seda::corpus {

const VoicesLibrary& load_voices() {
  static const void* const voices =
      open_own_library("libseda_voices.so", "seda_voices_library", kVoicesInterface);
  return *static_cast<const VoicesLibrary*>(voices);
}

}  // namespace seda::corpus
