// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/base/progress.h"
#include "seda/base/result.h"
#include "seda/corpus/layout.h"

namespace seda::corpus {

constexpr size_t kDefaultClips = 100;
constexpr int kLowestRate = 8000;
constexpr int kHighestRate = 96000;

struct CorpusOptions {
  // NOLINTBEGIN(readability-redundant-member-init): g++ wants them where some are named
  std::filesystem::path folder{};
  std::optional<std::filesystem::path> transcripts{};  ///< None: sentences of our own.
  std::optional<size_t> clips{};      ///< None: every transcript, or `kDefaultClips` sentences.
  std::vector<std::string> voices{};  ///< Taken in turn. Empty: `default_voices`.
  // NOLINTEND(readability-redundant-member-init)
  std::string language = "en";
  int sample_rate = 22050;
  Layout layout = Layout::ljspeech;
  uint64_t seed = 0;
  int threads = 0;     ///< 0: `usable_cores()`.
  bool force = false;  ///< Write into a folder that holds something else.
  ProgressStyle progress = ProgressStyle::quiet;
};

struct CorpusReport {
  size_t clips = 0;
  size_t kept = 0;             ///< Of these, found whole from a run that was cut short.
  double audio_s = 0;          ///< Of all clips.
  double seconds = 0;          ///< The run took.
  double times_real_time = 0;  ///< Sound made in this run over `seconds`.
  std::vector<std::string> voices;
  std::vector<Fault> skipped;  ///< Lines that were not said, with the reason.
};

/// Makes a practice corpus that `dataset::read_corpus` reads without a fault.
///
/// The same options give the same bytes for any number of threads. Each clip appears whole, the
/// metadata last; after Ctrl-C (Error(interrupted)), `kill -9` or a full disk (Error(io)) the same
/// call goes on where that one stood. A folder that holds anything but the beginning of this very
/// corpus is refused (Error(usage)) unless forced; then clips are made anew and files of other
/// names stay. One maker at a time: another is an Error(unavailable).
CorpusReport make_corpus(const CorpusOptions& options);

}  // namespace seda::corpus
