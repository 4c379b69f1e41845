// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/cache/cache.h"
#include "seda/feed/clip_names.h"
#include "seda/feed/clip_source.h"

namespace seda::feed {

/// The clips of a prepared corpus, from its cache.
///
/// Of a mapped cache, reading a clip looks its records up: it neither copies nor allocates, and
/// whoever touches the content waits for the disk. Of one that is read, each reader keeps two
/// buffers that grow to the longest clip. Faults have the clip's id and the code of the cache, or
/// what preparing found wrong with the clip.
class CacheSource final : public ClipSource {
 public:
  /// Opens the listing of that fingerprint. A cache that has it not, or not all that it names, is
  /// an Error(io) that says to prepare again.
  CacheSource(const std::filesystem::path& folder, const Hash128& listing,
              const cache::OpenOptions& options);

  std::unique_ptr<ClipReader> make_reader() const override;
  std::span<const ClipRow> rows() const override { return listing_.rows(); }
  std::string_view id(uint32_t row) const override { return listing_.string(rows()[row].id); }
  AudioKind kind() const override { return kind_; }
  const audio::MelOptions& mel() const override { return mel_; }
  bool decodes() const override { return false; }
  const std::string& path() const override { return path_; }
  const std::vector<std::string>& speakers() const override { return speakers_.names(); }
  const std::vector<std::string>& languages() const override { return languages_.names(); }
  int32_t speaker(uint32_t row) const override { return speakers_.number(row); }
  int32_t language(uint32_t row) const override { return languages_.number(row); }

 private:
  class Reader;

  cache::Cache cache_;
  Listing listing_;
  bool mapped_;
  std::string path_;
  const cache::Table* texts_;
  const cache::Table* sounds_;
  AudioKind kind_;
  audio::MelOptions mel_;
  ClipNames speakers_;
  ClipNames languages_;
};

}  // namespace seda::feed
