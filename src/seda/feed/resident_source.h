// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "seda/feed/forwarding_source.h"
#include "seda/feed/resident_corpus.h"

namespace seda::feed {

/// The clips of another source as they lie in the host's memory: `data.cache_dataset` where the
/// data role is the CPU's. Only clips of the corpus may be read.
class ResidentSource final : public ForwardingSource {
 public:
  /// `corpus` is in host memory, made from `origin`, and outlives this.
  ResidentSource(std::shared_ptr<const ClipSource> origin, const ResidentCorpus& corpus)
      : ForwardingSource(std::move(origin)), corpus_(corpus) {}

  std::unique_ptr<ClipReader> make_reader() const override;
  bool decodes() const override { return false; }
  const std::string& path() const override { return path_; }

 private:
  const ResidentCorpus& corpus_;
  std::string path_ = "resident";
};

/// What was wrong with a clip that is not in the corpus.
Fault resident_fault(const ResidentCorpus& corpus, const ClipSource& source, uint32_t row);

}  // namespace seda::feed
