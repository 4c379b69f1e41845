// SPDX-License-Identifier: Apache-2.0
#include "seda/train/replay_run.h"

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/device/plain_resource.h"
#include "seda/feed/feed_options.h"
#include "seda/train/checkpoint.h"
#include "seda/train/replay.h"
#include "seda/train/train_options.h"

namespace seda::train {
namespace {

/// Every operation checked and plain; otherwise as the run was, but for the noise of other ranks
/// than the first.
EngineOptions checked_engine(const Checkpoint& checkpoint, const device::Stream& stream) {
  const TrainOptions options = train_options(checkpoint.voice().config, {});
  EngineOptions engine;
  engine.model = checkpoint.voice().model;
  engine.optimizer = options.optimizer;
  engine.stream = stream;
  engine.seed = checkpoint.progress().seed;
  engine.mixed_precision =
      checkpoint.voice().config.boolean_or("training.mixed_precision", stream.device().is_cuda());
  engine.checked = true;
  engine.fused = false;
  engine.deterministic = true;
  return engine;
}

}  // namespace

ReplayReport replay(const std::filesystem::path& batch, const config::Config& config,
                    const Library& library, const device::Platform& platform) {
  const Checkpoint checkpoint = Checkpoint::open(folder_of(batch));
  const device::Stream stream(platform, feed::feed_options(config, platform).roles.model);
  device::PlainResource memory(platform, stream.device());
  const Replay saved = read_replay(batch, memory, stream);
  const auto engine = library.make_engine(checked_engine(checkpoint, stream));
  engine->restore(checkpoint.training(), checkpoint.average());
  ReplayReport report{.step = saved.info.options.update + 1,
                      .bucket = saved.info.bucket,
                      .utterances = saved.info.utterances,
                      .losses = {},
                      .first_problem = {}};
  try {
    engine->step(saved.batch, saved.info.options);
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::check_failed) throw;
    report.first_problem = problem.what();
  }
  for (const StepLosses& losses : engine->collect(0))
    report.losses = losses;
  return report;
}

}  // namespace seda::train
