// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "seda/model/vocos_options.h"
#include "seda/train/checkpoint.h"
#include "seda/train/detail/checkpoint_description.h"

namespace seda::train {

/// What a vocoder in training is beside its weights.
struct VocoderDescription {
  model::VocosOptions network;
  model::DiscriminatorOptions discriminators;

  bool operator==(const VocoderDescription&) const = default;
};

/// Why weights of `found` do not fit a run that wants `wanted`: a line for each value that differs.
std::vector<std::string> differences(const VocoderDescription& found,
                                     const VocoderDescription& wanted);

/// What `checkpoint.json` of a vocoder says.
struct VocoderCheckpointDescription {
  detail::CommonDescription common;
  VocoderDescription vocoder;
};

std::string to_text(const VocoderCheckpointDescription& description);

/// Reads `to_text` back. Other text, that of a voice and that of a newer format is an Error(io)
/// that names `where`.
VocoderCheckpointDescription parse_vocoder_checkpoint(std::string_view text,
                                                      const std::string& where);

/// A folder with the whole state of a vocoder's training, as `Checkpoint` is of a voice's. Its
/// model.safetensors is all that speech needs: sizes and mel are in its metadata.
class VocoderCheckpoint {
 public:
  /// As Checkpoint::open.
  static VocoderCheckpoint open(const std::filesystem::path& folder, bool verify = true);

  const std::filesystem::path& folder() const noexcept { return folder_; }
  const VocoderDescription& vocoder() const noexcept { return description_.vocoder; }
  const RunProgress& progress() const noexcept { return description_.common.progress; }

  SafetensorsFile average() const;
  SafetensorsFile training() const;

 private:
  std::filesystem::path folder_;
  VocoderCheckpointDescription description_;
};

/// As `write_checkpoint`.
std::filesystem::path write_vocoder_checkpoint(const std::filesystem::path& run_folder,
                                               const VocoderDescription& vocoder,
                                               const RunProgress& progress,
                                               const EngineState& state);

/// The file of weights that `path` means: itself, that of a checkpoint, or of a run's best
/// checkpoint, else its newest. A folder without one is an Error(io).
std::filesystem::path vocoder_weights(const std::filesystem::path& path);

}  // namespace seda::train
