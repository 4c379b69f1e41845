// SPDX-License-Identifier: Apache-2.0
#include "seda/train/checkpoint_writer.h"

#include <utility>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/log.h"
#include "seda/base/thread.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBest = "best";

/// Replaced in one step.
void point_best_at(const fs::path& runs, const std::string& name) {
  const fs::path made = runs / ".best";
  std::error_code none;
  fs::remove(made, none);
  fs::create_symlink(name, made);
  fs::rename(made, runs / kBest);
  sync_folder(runs);
}

void write_one(const fs::path& runs, size_t keep, const VoiceDescription& voice,
               const RunProgress& progress, const EngineState& state, bool best) {
  set_thread_name("checkpoint");
  const fs::path written = write_checkpoint(runs, voice, progress, state);
  if (best) point_best_at(runs, written.filename().string());
  prune_checkpoints(runs, keep, best_checkpoint(runs));
}

}  // namespace

fs::path best_checkpoint(const fs::path& runs) {
  std::error_code none;
  const fs::path name = fs::read_symlink(runs / kBest, none);
  return name.empty() ? fs::path() : runs / name;
}

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
  finish();
  last_ = runs_ / checkpoint_name(progress.updates);
  writing_ = std::async(std::launch::async, [=, this, state = std::move(state)] {
    write_one(runs_, keep_, voice, progress, state, best);
  });
}

void CheckpointWriter::finish() {
  if (writing_.valid()) writing_.get();
}

}  // namespace seda::train
