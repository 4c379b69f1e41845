// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seda/feed/clip_source.h"

namespace seda::feed {

/// Faults planted on purpose (`debug.inject`), each with its strength; 0: not planted.
struct Inject {
  double read_ms = 0;      ///< slow_storage: every clip waits so long for its bytes.
  double uneven_ms = 0;    ///< uneven_storage: every 200th read waits so long.
  double decode_ms = 0;    ///< slow_decode: a processor is busy so long with every clip.
  double text_ms = 0;      ///< slow_text: so long with every line that is read in the loop.
  double transfer_ms = 0;  ///< slow_transfer: every batch is held up so long on its way.
  double sync_ms = 0;  ///< host_sync: after a step the host reads its loss, then is busy so long.
  double slow_clip_ms = 0;  ///< slow_clip: one clip of the corpus waits so long.
  double bad_share = 0;     ///< bad_clips: this share of the clips cannot be read.

  bool any() const { return *this != Inject{}; }
  bool operator==(const Inject&) const = default;
};

/// Reads words of `debug.inject`: "slow_storage", or with a strength "slow_storage=5" (ms; of
/// bad_clips a share). Error(config) for others.
Inject parse_inject(const std::vector<std::string>& words);

/// "slow_storage 5 ms, bad_clips 2 %": for the banner.
std::string describe(const Inject& inject);

/// `source` with the faults of reading and decoding in it; `source` itself where there are none.
std::shared_ptr<const ClipSource> with_faults(std::shared_ptr<const ClipSource> source,
                                              const Inject& inject);

}  // namespace seda::feed
