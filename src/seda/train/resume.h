// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/train/checkpoint_folder.h"
#include "seda/train/train_options.h"

namespace seda::train {

/// The checkpoint to go on from, as each trainer's own `Kind` of it: the one that is named, else
/// the newest of the run; nothing where the run starts anew.
template <typename Kind>
std::optional<Kind> find_checkpoint(const TrainOptions& options) {
  if (!options.resume.empty()) return Kind::open(options.resume);
  if (options.reset || list_checkpoints(options.run_folder).empty()) return std::nullopt;
  return Kind::open(options.run_folder);
}

/// Error(config) with the cures where a checkpoint has `differences` from what the run wants.
void require_fit(const std::filesystem::path& checkpoint,
                 const std::vector<std::string>& differences);

}  // namespace seda::train
