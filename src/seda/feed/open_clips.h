// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "seda/base/result.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/prepare.h"

namespace seda::feed {

struct OpenOptions {
  PrepareOptions prepare;
  bool use_cache = true;  ///< Off (--no-prepare): raw files.
  bool waits = false;     ///< For another process that prepares the same cache, until it is done.
  bool announce = true;   ///< Off, where it was opened before: says only what it makes.
  bool memory_mapping = true;
  bool verify = false;         ///< Check each record on first touch.
  double max_fault_share = 1;  ///< Of the corpus that may be bad.
};

/// Clips that are ready to be fed.
struct OpenedClips {
  std::shared_ptr<const ClipSource> source;
  PrepareOptions corpus;                    ///< Where they come from.
  std::string cache_state;                  ///< "built", "loaded", "none".
  std::map<std::string, uint64_t> reasons;  ///< Why records were made, each with its clips.
  uint64_t clips_built = 0;                 ///< As PrepareReport has it.
  std::vector<Fault> faults;                ///< Clips that were set aside: their rows are unusable.
  double seconds = 0;
};

/// Prepares the corpus where it is not, or not any more, and opens its cache. Says so in the fixed
/// lines (BUILDING CACHE, CACHE SAVED, CACHE LOADED), one each.
///
/// With `waits`, of several that are asked at once one prepares and all open what it made; where it
/// ends before, another goes on. A cache folder that cannot be written is a warning with its path:
/// what is in it is used where it is current, else the raw files are. More bad clips than the share
/// allows are an Error(check_failed) that lists the first.
OpenedClips open_clips(const OpenOptions& options);

}  // namespace seda::feed
