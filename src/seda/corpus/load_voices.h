// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/corpus/voices_library.h"

namespace seda::corpus {

/// Opens `lib/libseda_voices.so` beside the program, once; it stays open. Missing, or of another
/// seda, is an Error(unavailable).
const VoicesLibrary& load_voices();

}  // namespace seda::corpus
