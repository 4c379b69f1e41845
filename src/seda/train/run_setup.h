// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seda/base/file_lock.h"
#include "seda/device/platform.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/feed_plan.h"
#include "seda/feed/open_clips.h"
#include "seda/train/checkpoint.h"
#include "seda/train/engine.h"
#include "seda/train/train_options.h"

namespace seda::train {

/// All that is known of a run before its first step.
struct RunSetup {
  feed::OpenedClips clips;
  std::shared_ptr<const feed::ClipSource> validation;  ///< Null: nothing to validate with.
  feed::FeedOptions feed;                              ///< From where it goes on.
  feed::FeedPlan plan;                                 ///< Of the training clips.
  feed::FeedOptions validation_feed;                   ///< Its budgets: what training leaves.
  uint64_t torch_bytes = 0;  ///< Of the model's budget, beside all slots; 0: no budget binds.
  VoiceDescription voice;
  std::optional<Checkpoint> resumed;
  RunProgress progress;  ///< Where it begins.
};

/// Keeps other trainers out of a run's folder, which is made where it is not. One that is there is
/// an Error(unavailable).
FileLock lock_run_folder(const TrainOptions& options);

/// Opens a corpus, preparing it where that is needed.
feed::OpenedClips open_corpus(const TrainOptions& options, const std::filesystem::path& corpus,
                              const device::Platform& platform);

/// Clips to validate with: of `data.validation_path`, else those of the corpus that are held out;
/// null, with a warning, where there are none.
std::shared_ptr<const feed::ClipSource> open_validation(const TrainOptions& options,
                                                        const feed::OpenedClips& clips,
                                                        const device::Platform& platform);

/// Of a run on the CPU that goes on: sums of its operators depend on their threads.
void warn_of_other_threads(int before, int now);

/// Opens the corpus, preparing it where that is needed, and finds the checkpoint to go on from.
///
/// A checkpoint of another model, mel, tokenizer, speakers or languages is an Error(config) that
/// lists what differs. A named validation corpus without a usable clip is an Error(check_failed); a
/// corpus of which none is held out trains without validation, with a warning. Budgets that bind
/// must hold the loaders of both: Error(memory).
RunSetup set_up(const TrainOptions& options, const device::Platform& platform);

/// Names of clips of the corpus, by their rows.
std::vector<std::string> clip_ids(const RunSetup& setup, const std::vector<uint32_t>& clips);

/// What an engine is asked for; its stream is left to the caller.
EngineOptions engine_options(const TrainOptions& options, const RunSetup& setup);

}  // namespace seda::train
