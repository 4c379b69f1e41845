// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "seda/feed/sampler.h"
#include "seda/text/frontend.h"
#include "seda/train/checkpoint_folder.h"
#include "seda/train/engine_state.h"
#include "seda/train/safetensors.h"
#include "seda/train/voice_description.h"

namespace seda::train {

/// How far a run is, beside the weights.
struct RunProgress {
  uint64_t updates = 0;        ///< Of the optimizer, done.
  feed::SamplerState sampler;  ///< Of the batch that comes next.
  uint64_t seed = 0;
  int ranks = 1;
  int threads = 0;  ///< Of the CPU's operators: their results depend on it.
  double best_validation = std::numeric_limits<double>::infinity();

  bool operator==(const RunProgress&) const = default;
};

/// A folder with a run's whole state:
///
///     checkpoint.json        description, progress, versions, hashes of the two files
///     model.safetensors      averaged weights: what speaks
///     training.safetensors   weights and moments: what goes on
///
/// Written under another name and renamed when it is whole and on the disk, so that a folder
/// `step-00001000` is never half a checkpoint.
class Checkpoint {
 public:
  /// Reads `folder`, a checkpoint, or the newest in a folder of checkpoints. A file that is
  /// missing, cut, changed (`verify`: hashes of all bytes) or of a newer version is an Error(io)
  /// that says which and what to do.
  static Checkpoint open(const std::filesystem::path& folder, bool verify = true);

  const std::filesystem::path& folder() const noexcept { return folder_; }
  const VoiceDescription& voice() const noexcept { return voice_; }
  const RunProgress& progress() const noexcept { return progress_; }
  const std::string& version() const noexcept { return version_; }  ///< Of the seda that wrote it.

  SafetensorsFile average() const;
  SafetensorsFile training() const;

  /// How its text becomes tokens.
  std::unique_ptr<text::Frontend> frontend() const;

 private:
  std::filesystem::path folder_;
  VoiceDescription voice_;
  RunProgress progress_;
  std::string version_;
};

/// Makes `<run>/step-<updates>`; a checkpoint of that name is replaced. A full disk is an
/// Error(io) and leaves the others as they are.
std::filesystem::path write_checkpoint(const std::filesystem::path& run_folder,
                                       const VoiceDescription& voice, const RunProgress& progress,
                                       const EngineState& state);

}  // namespace seda::train
