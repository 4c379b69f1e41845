// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "seda/base/progress.h"
#include "seda/cache/cache.h"
#include "seda/dataset/corpus.h"
#include "seda/feed/audio_options.h"
#include "seda/feed/previous.h"

namespace seda::feed {

/// What the cache has of one clip's sound.
struct SoundPlace {
  cache::Address address;
  uint64_t samples = 0;  ///< 0: no record, or one that says why there is no sound.
  bool found = false;    ///< There is a record.
};

/// Which sounds of a corpus must be read, and why.
struct AudioPlan {
  std::vector<cache::Key> keys;             ///< Of each utterance.
  std::vector<SoundPlace> places;           ///< Likewise.
  std::vector<size_t> missing;              ///< Utterances to read: one of those that share a file.
  std::vector<size_t> retried;              ///< Of these: files that could not be opened before.
  std::map<std::string, uint64_t> reasons;  ///< How many for each reason.
};

struct AudioPlanOptions {
  bool force = false;  ///< All are missing; where content is the identity, all files are hashed.
  int threads = 0;     ///< 0: `usable_cores()`.
  ProgressStyle progress = ProgressStyle::quiet;
};

/// Looks each sound up.
AudioPlan plan_sounds(const dataset::Corpus& corpus, const AudioOptions& options,
                      const Previous& previous, const AudioPlanOptions& how);

/// Looks again, after records were made.
void find_places(AudioPlan& plan, const cache::Table& table);

/// Sets the lengths of clips: of those that have a record, what it says; of those that are missing,
/// what the metadata or the header of a wav file says.
void fill_durations(std::vector<dataset::Utterance>& utterances, const AudioPlan& plan,
                    int sample_rate, int threads);

/// The longest clips first, so that no thread begins one when all others are done. A length that is
/// not known is guessed from the size of the file.
void order_by_length(AudioPlan& plan, const std::vector<dataset::Utterance>& utterances);

}  // namespace seda::feed
