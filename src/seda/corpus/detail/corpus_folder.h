// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/base/file_lock.h"
#include "seda/base/json.h"

namespace seda::corpus::detail {

/// The folder a corpus is made in, held for one maker.
///
/// `.seda-corpus.json` in it says what it is made from, so that a later run can tell the beginning
/// of its own corpus from anything else.
class CorpusFolder {
 public:
  /// Makes the folder or enters it; see `make_corpus` for what is refused. `recipe` is all that
  /// decides the bytes. Where nothing is kept, files in the place of `clips` are removed before the
  /// recipe is written: later runs would take them for clips of this corpus.
  CorpusFolder(std::filesystem::path folder, const Json& recipe, bool force,
               const std::vector<std::string>& clips = {});

  /// Whether clips of an earlier run may be kept.
  bool resumes() const noexcept { return resumes_; }

  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

  /// Syncs all clips, then puts the metadata into its place.
  void finish(const std::string& metadata) const;

 private:
  void remove(const std::vector<std::string>& clips) const;

  std::filesystem::path folder_;
  std::optional<FileLock> lock_;
  bool resumes_ = false;
};

/// Seconds of a whole wav file as `audio::write_wav` writes it at this rate; nothing where the file
/// is missing, cut short or another.
std::optional<double> whole_wav_seconds(const std::filesystem::path& file, int sample_rate);

}  // namespace seda::corpus::detail
