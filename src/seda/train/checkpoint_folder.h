// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "seda/train/engine_state.h"
#include "seda/train/safetensors.h"

namespace seda::train {

constexpr const char* kDescriptionFile = "checkpoint.json";
constexpr const char* kAverageFile = "model.safetensors";
constexpr const char* kTrainingFile = "training.safetensors";

/// Of the bytes of a checkpoint's two files of tensors.
struct FileHashes {
  std::string average;
  std::string training;

  bool operator==(const FileHashes&) const = default;
};

/// What is said of a state beside its tensors.
struct CheckpointText {
  TensorMetadata metadata;                                 ///< Of the averaged weights' file.
  std::function<std::string(const FileHashes&)> describe;  ///< The text of checkpoint.json.
};

/// Makes `<run>/step-<updates>`, whole and on the disk or not at all; what has that name is moved
/// into `<run>/before-<n>`. A full disk is an Error(io) and leaves the others as they are.
std::filesystem::path write_checkpoint_folder(const std::filesystem::path& run_folder,
                                              uint64_t updates, const EngineState& state,
                                              const CheckpointText& text);

/// `folder`, where it is a checkpoint, or the newest in it. Error(io) where it is neither.
std::filesystem::path find_checkpoint_folder(const std::filesystem::path& folder);

/// Error(io) where a file's bytes are others.
void check_hashes(const std::filesystem::path& folder, const FileHashes& hashes);

/// Of an update: "step-00001000".
std::string checkpoint_name(uint64_t updates);

/// Removes all but the newest `keep` and `best`, which may be empty, and what a killed writer left.
/// What cannot be removed is a warning. One killed in the middle leaves whole checkpoints alone.
void prune_checkpoints(const std::filesystem::path& run_folder, size_t keep,
                       const std::filesystem::path& best);

/// Removes what a writer left that was killed. Nobody else may be writing there.
void remove_unfinished(const std::filesystem::path& run_folder);

/// The checkpoints in a folder, oldest first.
std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& run_folder);

/// The checkpoint that `<run>/best` points to; empty where there is none.
std::filesystem::path best_checkpoint(const std::filesystem::path& run_folder);

/// Makes `<run>/best` point to the checkpoint of that name, in one step.
void point_best_at(const std::filesystem::path& run_folder, const std::string& name);

/// Moves what is in a run's folder into a new one, `<run>/before-<n>`, which is returned.
std::filesystem::path move_aside(const std::filesystem::path& run_folder,
                                 const std::vector<std::filesystem::path>& paths);

}  // namespace seda::train
