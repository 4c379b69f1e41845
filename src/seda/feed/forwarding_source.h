// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "seda/feed/clip_source.h"

namespace seda::feed {

/// A source that changes something about another: all else is the other's.
class ForwardingSource : public ClipSource {
 public:
  explicit ForwardingSource(std::shared_ptr<const ClipSource> source)
      : source_(std::move(source)) {}

  std::unique_ptr<ClipReader> make_reader() const override { return source_->make_reader(); }
  std::span<const ClipRow> rows() const override { return source_->rows(); }
  std::string_view id(uint32_t row) const override { return source_->id(row); }
  AudioKind kind() const override { return source_->kind(); }
  const audio::MelOptions& mel() const override { return source_->mel(); }
  bool decodes() const override { return source_->decodes(); }
  const std::string& path() const override { return source_->path(); }
  const std::vector<std::string>& speakers() const override { return source_->speakers(); }
  const std::vector<std::string>& languages() const override { return source_->languages(); }
  int32_t speaker(uint32_t row) const override { return source_->speaker(row); }
  int32_t language(uint32_t row) const override { return source_->language(row); }

 protected:
  const ClipSource& source() const noexcept { return *source_; }

 private:
  std::shared_ptr<const ClipSource> source_;
};

}  // namespace seda::feed
