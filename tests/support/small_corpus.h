// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/small_wav.h"
#include "tests/support/temporary_folder.h"

namespace seda::testing_support {

/// Clips `name` + "100", "101", …, each with a short sound and a line of its own, in LJSpeech's
/// layout.
inline void write_small_corpus(const TemporaryFolder& folder, int clips,
                               const std::string& name = "c",
                               const std::string& line = "The clip with the number ") {
  std::string metadata;
  for (int i = 0; i < clips; ++i) {
    const std::string id = name + std::to_string(100 + i);
    metadata += id + "|" + line + std::to_string(i) + ".\n";
    folder.write("corpus/wavs/" + id + ".wav", small_wav(i));
  }
  folder.write("corpus/metadata.csv", metadata);
}

}  // namespace seda::testing_support
