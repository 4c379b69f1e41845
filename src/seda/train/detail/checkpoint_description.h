// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "seda/train/checkpoint.h"
#include "seda/train/voice_description.h"

namespace seda::train::detail {

constexpr const char* kAverageFile = "model.safetensors";
constexpr const char* kTrainingFile = "training.safetensors";

/// What `checkpoint.json` says.
struct CheckpointDescription {
  std::string version;  ///< Of the seda that wrote it.
  RunProgress progress;
  VoiceDescription voice;
  std::string average_hash;  ///< Of the file's bytes.
  std::string training_hash;
};

/// Adds what else this program was built from.
std::string to_text(const CheckpointDescription& description);

/// Reads `to_text` back. Other text, and that of a newer format, is an Error(io) that names
/// `where`.
CheckpointDescription parse_checkpoint(std::string_view text, const std::string& where);

}  // namespace seda::train::detail
