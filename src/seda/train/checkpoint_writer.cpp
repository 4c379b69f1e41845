// SPDX-License-Identifier: Apache-2.0
#include "seda/train/checkpoint_writer.h"

#include <utility>

#include "seda/base/log.h"
#include "seda/base/thread.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

void write_one(const fs::path& runs, size_t keep, const std::function<fs::path()>& write,
               bool best) {
  set_thread_name("checkpoint");
  const fs::path written = write();
  if (best) point_best_at(runs, written.filename().string());
  prune_checkpoints(runs, keep, best_checkpoint(runs));
}

}  // namespace

CheckpointWriter::CheckpointWriter(fs::path runs, size_t keep)
    : runs_(std::move(runs)), keep_(keep) {}

CheckpointWriter::~CheckpointWriter() {
  try {
    finish();
  } catch (const std::exception& problem) {
    log::error("checkpoint: {}", problem.what());
  }
}

void CheckpointWriter::write(const VoiceDescription& voice, const RunProgress& progress,
                             EngineState state, bool best) {
  write(
      progress.updates,
      [runs = runs_, voice, progress, state = std::move(state)] {
        return write_checkpoint(runs, voice, progress, state);
      },
      best);
}

void CheckpointWriter::write(uint64_t updates, std::function<fs::path()> write, bool best) {
  finish();
  last_ = runs_ / checkpoint_name(updates);
  writing_ = std::async(std::launch::async, [this, best, write = std::move(write)] {
    write_one(runs_, keep_, write, best);
  });
}

void CheckpointWriter::finish() {
  if (writing_.valid()) writing_.get();
}

}  // namespace seda::train
