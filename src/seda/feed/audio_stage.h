// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "seda/base/progress.h"
#include "seda/base/result.h"
#include "seda/cache/writer.h"
#include "seda/feed/audio_options.h"
#include "seda/feed/audio_plan.h"

namespace seda::feed {

/// What was done to the sounds that were read. Clips, where nothing else is said.
struct AudioStageReport {
  uint64_t resampled = 0;
  uint64_t mixed = 0;    ///< Channels were brought to one.
  uint64_t clipped = 0;  ///< Samples left the range of 16 bits and were held there.
  double trimmed_s = 0;  ///< Silence cut away, in all.
  double sound_s = 0;    ///< Length of what was kept, in all.
  /// Files that could not be opened or read. The cache keeps no record of them: they are tried
  /// again by the next run.
  std::map<cache::Key, Fault> unread;
};

/// Reads the missing sounds on `threads` threads, in the plan's order, and appends their records to
/// `table`, unsealed. A file whose bytes are bad leaves a record that says so. The result is the
/// same for any number of threads. Ctrl-C is an Error(interrupted): what was appended before it
/// stays.
AudioStageReport read_sounds(const std::vector<dataset::Utterance>& utterances,
                             const AudioPlan& plan, const AudioOptions& options,
                             const cache::TableWriter& table, int threads, Progress& progress);

}  // namespace seda::feed
