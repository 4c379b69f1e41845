// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "seda/base/progress.h"
#include "seda/base/result.h"
#include "seda/dataset/utterance.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/resident_corpus.h"
#include "seda/train/vocoder_engine.h"

namespace seda::train {

/// Sounds of clips in memory that a device can read.
///
/// On a GPU they lie in its own memory where they take at most half of what is free there, else in
/// page-locked memory of the host, which it reads over the bus.
class HeldSounds {
 public:
  /// Reads all clips of a split, of a source of samples, however long they are. Error(check_failed)
  /// where there is none. `platform` and `stream` outlive this.
  HeldSounds(const feed::ClipSource& source, dataset::Split split, const device::Platform& platform,
             device::StreamView stream, ProgressStyle progress);

  const SoundBank& bank() const noexcept { return bank_; }
  bool on_device() const noexcept { return on_device_; }
  uint64_t bytes() const noexcept { return corpus_->bytes(); }
  double seconds() const noexcept { return seconds_; }  ///< Of sound.
  const std::vector<Fault>& faults() const noexcept { return faults_; }

 private:
  std::unique_ptr<device::MemoryResource> memory_;
  std::unique_ptr<device::PinnedResource> staging_;
  std::unique_ptr<feed::ResidentCorpus> corpus_;
  SoundBank bank_;
  bool on_device_ = false;
  double seconds_ = 0;
  std::vector<Fault> faults_;
};

}  // namespace seda::train
