// SPDX-License-Identifier: Apache-2.0
#include "seda/train/replay_run.h"

#include <utility>

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

/// The batch at `path`, behind those of its update that were kept with it.
std::vector<Replay> read_update(const std::filesystem::path& path, device::MemoryResource& resource,
                                device::StreamView stream) {
  Replay last = read_replay(path, resource, stream);
  std::vector<Replay> parts;
  for (int part = 0; part < last.info.options.part; ++part) {
    const auto earlier = path_of_part(path, part);
    if (!std::filesystem::exists(earlier)) break;  // of a loss no other is kept
    parts.push_back(read_replay(earlier, resource, stream));
  }
  parts.push_back(std::move(last));
  return parts;
}

std::vector<std::string> clips_of(const std::vector<Replay>& parts) {
  std::vector<std::string> clips;
  for (const Replay& part : parts)
    clips.insert(clips.end(), part.info.utterances.begin(), part.info.utterances.end());
  return clips;
}

/// What its last batch leaves; throws what it finds not finite where it checks.
StepLosses take_step(const Checkpoint& checkpoint, const Library& library,
                     const EngineOptions& options, const std::vector<Replay>& parts) {
  const auto engine = library.make_engine(options);
  engine->restore(checkpoint.training(), checkpoint.average());
  for (const Replay& part : parts)
    engine->step(part.batch, part.info.options);
  return engine->collect(0).back();
}

}  // namespace

ReplayReport replay(const std::filesystem::path& batch, const config::Config& config,
                    const Library& library, const device::Platform& platform) {
  const device::Stream stream(platform, feed::feed_options(config, platform).roles.model);
  device::PlainResource memory(platform, stream.device());
  const std::vector<Replay> parts = read_update(batch, memory, stream);
  const ReplayInfo& last = parts.back().info;
  const Checkpoint checkpoint = Checkpoint::open(folder_of(batch));
  const EngineOptions options = engine_of_run(checkpoint, stream);
  ReplayReport report{.step = last.options.update + 1,
                      .bucket = last.bucket,
                      .utterances = clips_of(parts),
                      .as_run = take_step(checkpoint, library, options, parts),
                      .losses = {},
                      .first_problem = {}};
  try {
    report.losses = take_step(checkpoint, library, checked(options), parts);
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::check_failed) throw;
    report.first_problem = problem.what();
  }
  return report;
}

}  // namespace seda::train
