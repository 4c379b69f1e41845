// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "seda/device/platform.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/open_clips.h"
#include "seda/train/train_options.h"
#include "seda/train/vocoder_checkpoint.h"
#include "seda/train/vocoder_engine.h"

namespace seda::train {

/// All that is known of a vocoder's run before its sounds are read.
struct VocoderSetup {
  feed::OpenedClips clips;
  std::shared_ptr<const feed::ClipSource> validation;  ///< Null: nothing to validate with.
  feed::Roles roles;
  VocoderDescription vocoder;
  int rows = 16;
  int crop_frames = 64;
  std::optional<VocoderCheckpoint> resumed;
  RunProgress progress;  ///< Where it begins.
};

/// The configuration as this stage takes it.
///
/// Where a flag says nothing and a file no more than the default, it has defaults of its own:
/// model.size normal, lr 5e-4, betas 0.8 and 0.99, no clipping of gradients. Its folder and that of
/// its events are `vocoder` in those of the voice, unless a flag names others. Sounds are kept as
/// samples, whatever data.preprocessing_mode says. Flags that mean nothing to it are a warning that
/// names them.
config::Config vocoder_config(config::Config config);

/// Opens the corpus as samples, preparing it where that is needed, and finds the checkpoint to go
/// on from. `options` are of a `vocoder_config`.
///
/// Several ranks are an Error(usage); a checkpoint of another network or mel is an Error(config)
/// that lists what differs.
VocoderSetup set_up_vocoder(const TrainOptions& options, const device::Platform& platform);

/// What an engine is asked for; its stream and sounds are left to the caller.
VocoderEngineOptions vocoder_engine_options(const TrainOptions& options, const VocoderSetup& setup);

}  // namespace seda::train
