// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "seda/feed/planted_faults.h"

namespace seda::feed {

/// A source with planted faults in its readers; all else is its own.
class FaultySource final : public ClipSource {
 public:
  FaultySource(std::shared_ptr<const ClipSource> source, const Inject& inject)
      : source_(std::move(source)), faults_(*source_, inject), busy_(inject.decode_ms > 0) {}

  std::unique_ptr<ClipReader> make_reader() const override;
  std::span<const ClipRow> rows() const override { return source_->rows(); }
  std::string_view id(uint32_t row) const override { return source_->id(row); }
  AudioKind kind() const override { return source_->kind(); }
  const audio::MelOptions& mel() const override { return source_->mel(); }
  bool decodes() const override { return busy_ || source_->decodes(); }
  const std::string& path() const override { return source_->path(); }
  const std::vector<std::string>& speakers() const override { return source_->speakers(); }
  const std::vector<std::string>& languages() const override { return source_->languages(); }
  int32_t speaker(uint32_t row) const override { return source_->speaker(row); }
  int32_t language(uint32_t row) const override { return source_->language(row); }

 private:
  std::shared_ptr<const ClipSource> source_;
  PlantedFaults faults_;
  bool busy_;
};

}  // namespace seda::feed
