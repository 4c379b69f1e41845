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

/// As the run was, but for graphs and for the noise of other ranks than the first.
EngineOptions engine_of_run(const Checkpoint& checkpoint, const device::Stream& stream) {
  const config::Config& config = checkpoint.voice().config;
  EngineOptions engine;
  engine.model = checkpoint.voice().model;
  engine.optimizer = train_options(config, {}).optimizer;
  engine.stream = stream;
  engine.seed = checkpoint.progress().seed;
  engine.mixed_precision = config.boolean_or("training.mixed_precision", stream.device().is_cuda());
  engine.fused = config.boolean("training.enable_xla_compilation");
  engine.deterministic = config.boolean("training.deterministic");
  return engine;
}

EngineOptions checked(EngineOptions engine) {
  engine.checked = true;
  engine.fused = false;
  engine.deterministic = true;
  return engine;
}

/// What it leaves; throws what it finds not finite where it checks.
StepLosses take_step(const Checkpoint& checkpoint, const Library& library,
                     const EngineOptions& options, const Replay& saved) {
  const auto engine = library.make_engine(options);
  engine->restore(checkpoint.training(), checkpoint.average());
  engine->step(saved.batch, saved.info.options);
  return engine->collect(0).back();
}

}  // namespace

ReplayReport replay(const std::filesystem::path& batch, const config::Config& config,
                    const Library& library, const device::Platform& platform) {
  const Checkpoint checkpoint = Checkpoint::open(folder_of(batch));
  const device::Stream stream(platform, feed::feed_options(config, platform).roles.model);
  device::PlainResource memory(platform, stream.device());
  const Replay saved = read_replay(batch, memory, stream);
  const EngineOptions options = engine_of_run(checkpoint, stream);
  ReplayReport report{.step = saved.info.options.update + 1,
                      .bucket = saved.info.bucket,
                      .utterances = saved.info.utterances,
                      .as_run = take_step(checkpoint, library, options, saved),
                      .losses = {},
                      .first_problem = {}};
  try {
    report.losses = take_step(checkpoint, library, checked(options), saved);
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::check_failed) throw;
    report.first_problem = problem.what();
  }
  return report;
}

}  // namespace seda::train
