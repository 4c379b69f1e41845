// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "seda/base/progress.h"
#include "seda/config/config.h"
#include "seda/dataset/corpus.h"
#include "seda/device/platform.h"
#include "seda/feed/open_clips.h"

namespace seda::diagnose {

struct CorpusViewOptions {
  bool all = false;  ///< Every clip, even where there is no cache that knows them.
  ProgressStyle progress = ProgressStyle::quiet;
};

/// A corpus, looked at without writing anything.
struct CorpusView {
  dataset::Corpus corpus;                   ///< All of it, as the metadata tells it.
  std::optional<feed::PrepareReport> plan;  ///< What preparing would do; nothing where
  std::string cache_problem;                ///< the cache cannot be read: why.
  /// From the cache where it is current, else from the files: of all clips, or of `sample`.
  feed::OpenedClips clips;
  std::optional<size_t> sample;

  std::filesystem::path cache_folder() const;
  bool cached() const { return plan && plan->listing; }
  /// "of all 13100 clips", "of a sample of 400 of 13100 clips".
  std::string extent() const;
};

/// Clips of a sample, evenly spread.
constexpr size_t kSampleClips = 400;

/// Reads the metadata, asks the cache what it has, and opens the clips. A corpus that cannot be
/// read is an Error that says why; Ctrl-C is an Error(interrupted).
CorpusView view_corpus(const config::Config& config, const std::filesystem::path& folder,
                       const device::Platform& platform, const CorpusViewOptions& options);

}  // namespace seda::diagnose
