// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>

#include "seda/train/checkpoint.h"

namespace seda::train {

/// Writes checkpoints while training goes on.
///
/// One thread calls it. The state is a copy, so the model may change meanwhile; it is let go of
/// once it is written. A second checkpoint waits for the first: who calls `finish` before copying
/// has one copy at a time. What went wrong with the one before is thrown by the next call; the old
/// checkpoints are then still there.
class CheckpointWriter {
 public:
  CheckpointWriter(std::filesystem::path run_folder, size_t keep);
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  /// `best`: the link `<run>/best` will point to it, and it is kept.
  void write(const VoiceDescription& voice, const RunProgress& progress, EngineState state,
             bool best);

  /// The same of something else than a voice: `write` makes the checkpoint of that update in the
  /// folder and returns it, on another thread.
  void write(uint64_t updates, std::function<std::filesystem::path()> write, bool best);

  /// Waits for what is being written.
  void finish();

  /// The last that was written, or is being written; empty: none.
  const std::filesystem::path& last() const noexcept { return last_; }

 private:
  std::filesystem::path run_folder_;
  size_t keep_;
  std::filesystem::path last_;
  std::future<void> writing_;
};

}  // namespace seda::train
