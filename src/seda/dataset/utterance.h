// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace seda::dataset {

enum class Split { train, validation };

/// One clip of a corpus: what is said, where the sound lies, who says it.
struct Utterance {
  std::string id;    ///< Unique in the corpus.
  std::string text;  ///< UTF-8, not empty, without spaces around it; as written, not normalised.
  std::filesystem::path audio;  ///< Can be opened from the current folder.
  uint64_t audio_bytes = 0;     ///< Size of the file, with its time what it is known by; 0 where
                                ///< it was not looked at.
  int64_t audio_time_ns = 0;    ///< Time of its last change.
  std::string speaker;          ///< Empty: not said.
  std::string language;         ///< Empty: not said.
  std::optional<double> duration_s;  ///< As the metadata claims.
  Split split = Split::train;
  std::string source;  ///< Metadata file, relative to the corpus folder.
  uint32_t line = 0;   ///< Line of it, from 1; 0 where the file holds one text alone.

  bool operator==(const Utterance&) const = default;
};

}  // namespace seda::dataset
