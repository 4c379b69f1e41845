// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/dataset/corpus.h"
#include "seda/feed/clip_names.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/prepare.h"

namespace seda::feed {

/// The clips of a corpus from its own files, without a cache.
///
/// Opening reads every line through the frontend and every file's header, on all threads; a file
/// whose header does not tell its length is decoded once. Lengths are those before silence is cut.
/// `fetch` reads a clip's file, `content` decodes it.
class FileSource final : public ClipSource {
 public:
  /// The corpus, and how its lines and sounds are read; of `options.cache` only a learned
  /// vocabulary is used.
  explicit FileSource(const PrepareOptions& options);
  /// The same of a corpus that was read already, or of a part of one.
  FileSource(dataset::Corpus corpus, const PrepareOptions& options);

  /// Clips that were set aside on opening, those of the metadata included. Their rows are unusable.
  const std::vector<Fault>& faults() const noexcept { return faults_; }

  std::unique_ptr<ClipReader> make_reader() const override;
  std::span<const ClipRow> rows() const override { return rows_; }
  std::string_view id(uint32_t row) const override { return corpus_.utterances[row].id; }
  AudioKind kind() const override { return AudioKind::pcm16; }
  const audio::MelOptions& mel() const override { return mel_; }
  bool decodes() const override { return true; }
  const std::string& path() const override { return path_; }
  const std::vector<std::string>& speakers() const override { return speakers_.names(); }
  const std::vector<std::string>& languages() const override { return languages_.names(); }
  int32_t speaker(uint32_t row) const override { return speakers_.number(row); }
  int32_t language(uint32_t row) const override { return languages_.number(row); }

 private:
  class Reader;

  void read_lines(const PrepareOptions& options);
  void read_lengths(const PrepareOptions& options);
  void set_aside(const std::vector<std::optional<Fault>>& found);

  dataset::Corpus corpus_;
  audio::MelOptions mel_;
  audio::SoundOptions sound_;
  std::string path_ = "files";
  std::vector<std::vector<int32_t>> tokens_;  // of each clip
  std::vector<ClipRow> rows_;
  std::vector<Fault> faults_;
  ClipNames speakers_;
  ClipNames languages_;
};

}  // namespace seda::feed
