// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/feed/clip_source.h"
#include "seda/feed/resident_corpus.h"

namespace seda::feed {

/// The clips of another source as they lie in the host's memory: `data.cache_dataset` where the
/// data role is the CPU's. Only clips of the corpus may be read.
class ResidentSource final : public ClipSource {
 public:
  /// `corpus` is in host memory and made from `source`.
  ResidentSource(std::shared_ptr<const ClipSource> source, const ResidentCorpus& corpus)
      : source_(std::move(source)), corpus_(corpus) {}

  std::unique_ptr<ClipReader> make_reader() const override;
  std::span<const ClipRow> rows() const override { return source_->rows(); }
  std::string_view id(uint32_t row) const override { return source_->id(row); }
  AudioKind kind() const override { return source_->kind(); }
  const audio::MelOptions& mel() const override { return source_->mel(); }
  bool decodes() const override { return false; }
  const std::string& path() const override { return path_; }
  const std::vector<std::string>& speakers() const override { return source_->speakers(); }
  const std::vector<std::string>& languages() const override { return source_->languages(); }
  int32_t speaker(uint32_t row) const override { return source_->speaker(row); }
  int32_t language(uint32_t row) const override { return source_->language(row); }

 private:
  std::shared_ptr<const ClipSource> source_;
  const ResidentCorpus& corpus_;
  std::string path_ = "resident";
};

/// What was wrong with a clip that is not in the corpus.
Fault resident_fault(const ResidentCorpus& corpus, const ClipSource& source, uint32_t row);

}  // namespace seda::feed
