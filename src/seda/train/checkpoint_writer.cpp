// SPDX-License-Identifier: Apache-2.0
#include "seda/train/checkpoint_writer.h"

#include <utility>

#include "seda/base/log.h"
#include "seda/base/thread.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

void write_one(const fs::path& run_folder, size_t keep, const std::function<fs::path()>& write,
               bool best) {
  set_thread_name("checkpoint");
  const fs::path written = write();
  if (best) point_best_at(run_folder, written.filename().string());
  prune_checkpoints(run_folder, keep, best_checkpoint(run_folder));
}

}  // namespace

CheckpointWriter::CheckpointWriter(fs::path run_folder, size_t keep)
    : run_folder_(std::move(run_folder)), keep_(keep) {}

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
      [run_folder = run_folder_, voice, progress, state = std::move(state)] {
        return write_checkpoint(run_folder, voice, progress, state);
      },
      best);
}

void CheckpointWriter::write(uint64_t updates, std::function<fs::path()> write, bool best) {
  finish();
  last_ = run_folder_ / checkpoint_name(updates);
  writing_ = std::async(std::launch::async, [this, best, write = std::move(write)]() mutable {
    // A future keeps its function until it is asked; what this one holds goes with its work.
    const auto work = std::exchange(write, {});
    write_one(run_folder_, keep_, work, best);
  });
}

void CheckpointWriter::finish() {
  if (writing_.valid()) writing_.get();
}

}  // namespace seda::train
