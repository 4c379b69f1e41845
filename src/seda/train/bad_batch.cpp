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

bool is_of_gradient(const LearnedStep& step) {
  return std::isfinite(step.losses.total);
}

/// The batches it was made of: a gradient is summed over those of its update.
int first_part(const LearnedStep& step) {
  return is_of_gradient(step) ? 0 : step.part;
}

/// The order is a function of the position: a loader that begins there gives the batches again.
feed::FeedOptions from_part(const RunSetup& setup, const LearnedStep& step) {
  feed::FeedOptions options = setup.feed;
  options.start = first_part(step) == step.part
                      ? feed::SamplerState{.epoch = step.epoch, .batch = step.batch}
                      : step.update_begin;
  options.announce = false;
  options.resident = false;
  return options;
}

feed::BatchLease next(feed::Loader& loader, device::StreamView stream) {
  for (;;) {  // the end of an epoch gives none, once
    if (auto lease = loader.next(stream)) return *std::move(lease);
  }
}

void write_batch(const feed::Batch& batch, const ReplayInfo& info, device::StreamView stream,
                 const fs::path& path) {
  std::vector<std::byte> host(feed::batch_bytes(batch.shape));
  device::copy(device::on_host(host.data()), batch.memory.location(), host.size(), stream);
  stream.synchronize();
  feed::Batch copy;
  copy.shape = batch.shape;
  copy.arrays = feed::batch_arrays(batch.shape, host.data());
  write_replay(path, copy, info);
}

/// Makes the batches once more and writes them, the step's own to `path`. Returns their clips.
std::vector<std::string> save_batches(const BadBatchPlace& place, const LearnedStep& step,
                                      const fs::path& path) {
  const auto loader =
      feed::make_loader(place.setup.clips, from_part(place.setup, step), place.platform);
  std::vector<std::string> clips;
  for (int part = first_part(step); part <= step.part; ++part) {
    const feed::BatchLease lease = next(*loader, place.stream);
    const feed::BatchInfo& made = lease->info;
    const ReplayInfo info{.options = {.update = step.update, .part = part, .lr = step.lr},
                          .epoch = made.epoch,
                          .bucket = made.bucket,
                          .utterances = clip_ids(place.setup, made.clips)};
    write_batch(*lease, info, place.stream, part == step.part ? path : path_of_part(path, part));
    clips.insert(clips.end(), info.utterances.begin(), info.utterances.end());
  }
  return clips;
}

void save_weights(const BadBatchPlace& place, const LearnedStep& step, const RunProgress& progress,
                  Engine& engine, const fs::path& folder) {
  RunProgress before = progress;
  before.updates = step.update;
  before.sampler = step.update_begin;
  write_checkpoint(folder, place.setup.voice, before, engine.state());
}

fs::path make_folder(const TrainOptions& options, const LearnedStep& step) {
  const Ranks& ranks = options.ranks;
  const std::string whose = ranks.alone() ? "" : fmt::format("-rank-{}", ranks.rank);
  fs::path folder = options.run_folder / fmt::format("not-finite-{:08}{}", step.update + 1, whose);
  create_folders(folder);
  return folder;
}

}  // namespace

void stop_at_bad_batch(const BadBatchPlace& place, const LearnedStep& step,
                       const RunProgress& progress, Engine& engine) {
  const fs::path folder = make_folder(place.options, step);
  save_weights(place, step, progress, engine, folder);
  const fs::path batch = folder / "batch.safetensors";
  const std::vector<std::string> clips = save_batches(place, step, batch);
  throw_error(ErrorKind::check_failed,
              "{} of step {} is not finite (loss {}, norm of the gradient {}); shape {}, clips {}\n"
              "the weights of before and the batch are in {}: look closer with seda train --replay "
              "{}; or lower training.lr",
              is_of_gradient(step) ? "the gradient" : "the loss", step.update + 1,
              step.losses.total, step.losses.gradient_norm, step.bucket, fmt::join(clips, ", "),
              folder.string(), batch.string());
}

}  // namespace seda::train
