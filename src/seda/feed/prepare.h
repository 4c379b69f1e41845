// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/hash.h"
#include "seda/base/progress.h"
#include "seda/base/result.h"
#include "seda/dataset/corpus.h"
#include "seda/feed/audio_options.h"
#include "seda/feed/audio_stage.h"
#include "seda/feed/shard.h"
#include "seda/feed/text_options.h"
#include "seda/feed/text_stage.h"

namespace seda::feed {

struct PrepareOptions {
  std::filesystem::path corpus;
  std::filesystem::path cache;  ///< Empty: `default_cache`.
  dataset::ReadOptions read;
  TextOptions text;
  AudioOptions audio;
  int threads = 0;     ///< 0: `usable_cores()`.
  bool force = false;  ///< Make every record again.
  std::optional<Shard> shard;
  ProgressStyle progress = ProgressStyle::quiet;
};

/// What preparing did, or in a dry run would do.
struct PrepareReport {
  std::filesystem::path cache;
  std::string format;    ///< Of the corpus,
  std::string evidence;  ///< and how it is known.
  uint64_t clips = 0;    ///< That can be used; so are the next two.
  uint64_t validation_clips = 0;
  double hours = 0;  ///< In a dry run as far as lengths are known.
  size_t speakers = 0;
  std::map<std::string, uint64_t> languages;  ///< Clips of each; empty in a dry run.
  uint64_t text_hits = 0;
  uint64_t text_built = 0;
  uint64_t audio_hits = 0;
  uint64_t audio_built = 0;
  uint64_t clips_built = 0;  ///< With a record made anew; not where only a bad file is tried again.
  std::map<std::string, uint64_t> reasons;  ///< Why records were made, and what is no more.
  std::vector<Fault> faults;
  uint64_t unknown_symbols = 0;  ///< Of all lines.
  TextStageReport lines;         ///< Of those read now.
  AudioKind audio_kind = AudioKind::mel;
  AudioStageReport sounds;  ///< Of those read now.
  text::MemoCounts language_memo;
  text::MemoCounts normalization_memo;
  double text_seconds = 0;
  double audio_seconds = 0;
  double seconds = 0;
  uint64_t bytes = 0;                        ///< Of the cache, on disk.
  std::vector<dataset::Utterance> examples;  ///< The first few, in a dry run.
  /// Fingerprint of the clips' listing; nothing where none was made or, in a dry run, where that in
  /// the cache is not of the clips as they are.
  std::optional<Hash128> listing;

  bool built() const { return text_built + audio_built > 0; }
};

/// Builds or updates the cache of a corpus: records of changed, new and lost lines and sounds are
/// made, all others are kept; then the listing of its clips is replaced.
///
/// A clip whose sound is bad is a fault, and none of the clips that can be used. What was found
/// is kept: while its file stays as it is, the next run reports it without reading it.
///
/// Stopped at any instant, by Ctrl-C (Error(interrupted)) or a kill, it goes on from what was
/// sealed. Another process that writes the same cache is an Error(unavailable) that names it.
PrepareReport prepare(const PrepareOptions& options);

/// The same without writing anything: what is there, and what would be made and why.
PrepareReport plan_prepare(const PrepareOptions& options);

/// Says in one of the fixed lines (CACHE SAVED, CACHE LOADED) that the cache is ready, after
/// `seconds`.
void announce_cache(const PrepareReport& report, double seconds);

}  // namespace seda::feed
