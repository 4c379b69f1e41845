// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace seda::diagnose {

/// Why records were made, with the number of clips of each reason.
using Reasons = std::map<std::string, uint64_t>;

/// How opening the corpus went, twice in a row.
struct StartUp {
  std::string cache_state;  ///< "built", "loaded", "none".
  double open_s = 0;
  double first_batch_s = 0;  ///< From making the loader on.
  Reasons reasons;
  std::string state_again;  ///< The same of the second time.
  double open_again_s = 0;
  Reasons reasons_again;
  uint64_t made_again = 0;  ///< Clips; one may have several reasons, or a reason no clip.
  size_t clips = 0;

  /// So many, or so slowly, that each start pays for it; a corpus that grew by a few clips does
  /// not.
  bool is_rebuilt() const;
};

/// "audio changed: 3, no cache: 1".
std::string words_of(const Reasons& reasons);

}  // namespace seda::diagnose
