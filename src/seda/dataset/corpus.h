// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/base/result.h"
#include "seda/dataset/format.h"
#include "seda/dataset/utterance.h"

namespace seda::dataset {

struct ReadOptions {
  // NOLINTBEGIN(readability-redundant-member-init): g++ wants them where some are named
  std::optional<Format> format{};  ///< None: found by looking.
  double validation_share = 0.02;  ///< Where the corpus names no split.
  /// Ids, one a line, held out whatever the corpus says.
  std::optional<std::filesystem::path> validation_list{};
  std::string default_language{};  ///< Where the metadata says none.
  // NOLINTEND(readability-redundant-member-init)
  bool check_audio = true;  ///< Look at each file; off: the first place it may lie is taken.
  int threads = 0;          ///< 0: `usable_cores()`.

  bool operator==(const ReadOptions&) const = default;
};

/// A corpus as read: what can be used, and what cannot with the reason.
struct Corpus {
  std::filesystem::path folder;
  Format format = Format::ljspeech;
  std::string evidence;               ///< Why this format and which files.
  std::vector<Utterance> utterances;  ///< In the order of the metadata; folders are walked sorted.
  std::vector<Fault> faults;          ///< Set aside; by file and line. `id` is `file:line` where
                                      ///< there is none. Codes: docs/decisions/dataset.md.
  std::vector<std::string> speakers;  ///< Sorted; a speaker's number is its position.
  std::vector<std::string> languages;
  uint64_t blank_lines = 0;  ///< Also comments: lines that begin with # and have no columns.
};

/// Reads the corpus in `folder`, or the one metadata file that is named instead.
///
/// Nothing but metadata is opened; audio files are only looked at, so a pipe or a link to itself
/// never blocks. The same folder gives the same corpus for any number of threads. A bad line or
/// clip is a fault; where no format fits, or a metadata file is UTF-16, it is an Error that names
/// what was looked for and what was found.
Corpus read_corpus(const std::filesystem::path& folder, const ReadOptions& options = {});

}  // namespace seda::dataset
