// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/resident_source.h"

#include <algorithm>

namespace seda::feed {
namespace {

class ResidentReader final : public ClipReader {
 public:
  ResidentReader(const ClipSource& source, const ResidentCorpus& corpus)
      : source_(source), corpus_(corpus), base_(corpus.base()) {}

  std::optional<Fault> fetch(uint32_t row) override {
    const auto found = corpus_.place(row);
    if (!found) return resident_fault(corpus_, source_, row);
    clip_ = *found;
    return std::nullopt;
  }

  Result<ClipContent> content() override {
    ClipContent out;
    out.tokens = {base_.tokens + clip_.token_offset, static_cast<size_t>(clip_.tokens)};
    const auto length = static_cast<size_t>(clip_.sound_length);
    if (base_.kind == AudioKind::pcm16) {
      out.samples = {static_cast<const int16_t*>(base_.sounds) + clip_.sound_offset, length};
    } else {
      const auto n_mels = static_cast<size_t>(source_.mel().n_mels);
      out.mel = {static_cast<const float*>(base_.sounds) + clip_.sound_offset, n_mels * length};
      out.mel_frames = clip_.sound_length;
    }
    return out;
  }

 private:
  const ClipSource& source_;
  const ResidentCorpus& corpus_;
  PackedBatch base_;
  ResidentClip clip_;
};

}  // namespace

std::unique_ptr<ClipReader> ResidentSource::make_reader() const {
  return std::make_unique<ResidentReader>(source(), corpus_);
}

Fault resident_fault(const ResidentCorpus& corpus, const ClipSource& source, uint32_t row) {
  const auto faults = corpus.faults();
  const auto found = std::ranges::lower_bound(faults, row, {}, &ResidentFault::row);
  if (found != faults.end() && found->row == row) return found->fault;
  return {std::string(source.id(row)), "not_resident", "the clip was not loaded"};
}

}  // namespace seda::feed
