// SPDX-License-Identifier: Apache-2.0
#include "seda/train/bad_batch.h"

#include <cmath>

#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/device/copy.h"
#include "seda/feed/batch_layout.h"
#include "seda/feed/make_loader.h"
#include "seda/train/checkpoint.h"
#include "seda/train/replay.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

/// The order is a function of the position: a loader that begins there gives the batch first.
feed::FeedOptions from_step(const RunSetup& setup, const LearnedStep& step) {
  feed::FeedOptions options = setup.feed;
  options.start = {.epoch = step.epoch, .batch = step.batch};
  options.announce = false;
  options.resident = false;
  return options;
}

void save_batch(const BadBatchPlace& place, const LearnedStep& step, const ReplayInfo& info,
                const fs::path& path) {
  const auto loader =
      feed::make_loader(place.setup.clips, from_step(place.setup, step), place.platform);
  const auto lease = loader->next(place.stream);
  if (!lease) throw_error(ErrorKind::internal, "the batch of step {} is none", step.update + 1);
  const feed::Batch& batch = **lease;
  std::vector<std::byte> host(feed::batch_bytes(batch.shape));
  device::copy(device::on_host(host.data()), batch.memory.location(), host.size(), place.stream);
  place.stream.synchronize();
  feed::Batch copy;
  copy.shape = batch.shape;
  copy.arrays = feed::batch_arrays(batch.shape, host.data());
  write_replay(path, copy, info);
}

fs::path save(const BadBatchPlace& place, const LearnedStep& step,
              const std::vector<std::string>& utterances, const RunProgress& progress,
              Engine& engine) {
  const Ranks& ranks = place.options.ranks;
  const std::string whose = ranks.alone() ? "" : fmt::format("-rank-{}", ranks.rank);
  const fs::path folder =
      place.options.run_folder / fmt::format("not-finite-{:08}{}", step.update + 1, whose);
  create_folders(folder);
  RunProgress before = progress;
  before.updates = step.update;
  before.sampler = {.epoch = step.epoch, .batch = step.batch};
  write_checkpoint(folder, place.setup.voice, before, engine.state());
  const ReplayInfo info{.options = {.update = step.update, .part = step.part, .lr = step.lr},
                        .epoch = step.epoch,
                        .bucket = step.bucket,
                        .utterances = utterances};
  save_batch(place, step, info, folder / "batch.safetensors");
  return folder / "batch.safetensors";
}

}  // namespace

void stop_at_bad_batch(const BadBatchPlace& place, const LearnedStep& step,
                       const std::vector<std::string>& utterances, const RunProgress& progress,
                       Engine& engine) {
  const fs::path saved = save(place, step, utterances, progress, engine);
  throw_error(ErrorKind::check_failed,
              "{} of step {} is not finite (loss {}, norm of the gradient {}); shape {}, clips {}\n"
              "the weights of before and the batch are in {}: look closer with seda train --replay "
              "{}; or lower training.lr",
              std::isfinite(step.losses.total) ? "the gradient" : "the loss", step.update + 1,
              step.losses.total, step.losses.gradient_norm, step.bucket,
              fmt::join(utterances, ", "), folder_of(saved).string(), saved.string());
}

}  // namespace seda::train
