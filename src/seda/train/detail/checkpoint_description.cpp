// SPDX-License-Identifier: Apache-2.0
#include "seda/train/detail/checkpoint_description.h"

#include <nlohmann/json.hpp>

#include "seda/base/build_info.h"
#include "seda/base/error.h"

namespace seda::train::detail {
namespace {

constexpr int kFormat = 1;

Json describe(const RunProgress& progress) {
  return {{"updates", progress.updates},
          {"epoch", progress.sampler.epoch},
          {"batch", progress.sampler.batch},
          {"seed", progress.seed},
          {"ranks", progress.ranks},
          {"threads", progress.threads},
          {"best_validation", progress.best_validation}};
}

RunProgress read_progress(const JsonObject& from) {
  RunProgress progress;
  from.read("updates", progress.updates);
  from.read("epoch", progress.sampler.epoch);
  from.read("batch", progress.sampler.batch);
  from.read("seed", progress.seed);
  from.read("ranks", progress.ranks);
  from.read("threads", progress.threads);
  // Infinity, before there was any, has no JSON.
  if (!from.at("best_validation").is_null()) from.read("best_validation", progress.best_validation);
  return progress;
}

/// Looks at nothing that another format may not have.
void require_known_format(const JsonObject& content, const std::string& where) {
  const int format = content.get<int>("format");
  if (format <= kFormat) return;
  const Json* version = content.find("version");
  const bool named = version != nullptr && version->is_string();
  throw_error(ErrorKind::io,
              "{}: expected a checkpoint of format {} or older, found {}, written by {}: use that "
              "version or a newer one",
              where, kFormat, format,
              named ? "seda " + version->get<std::string>() : "another seda");
}

/// A vocoder has checkpoints of its own.
void require_voice(const Json& content, const std::string& where) {
  if (!content.is_object() || content.contains("voice") || !content.contains("vocoder")) return;
  throw_error(ErrorKind::io,
              "{}: expected a voice, found a vocoder: it is for seda synth --vocoder, and for "
              "seda train --stage vocoder",
              where);
}

}  // namespace

Json describe_common(const CommonDescription& description) {
  return {
      {"format", kFormat},
      {"version", description.version},
      {"commit", build_info().commit},
      {"torch", build_info().torch},
      {"progress", describe(description.progress)},
      {"files",
       {{kAverageFile, description.hashes.average}, {kTrainingFile, description.hashes.training}}}};
}

CommonDescription read_common(const JsonObject& content, const std::string& where) {
  require_known_format(content, where);
  const JsonObject files = content.object("files");
  return {.version = content.get<std::string>("version"),
          .progress = read_progress(content.object("progress")),
          .hashes = {.average = files.get<std::string>(kAverageFile),
                     .training = files.get<std::string>(kTrainingFile)}};
}

std::string to_text(const CheckpointDescription& description) {
  Json content = describe_common(description.common);
  content["voice"] = train::describe(description.voice);
  return to_json_text(content);
}

CheckpointDescription parse_checkpoint(std::string_view text, const std::string& where) {
  const Json content = parse_json(text, where);
  require_voice(content, where);
  const JsonObject from(content, where);
  return {.common = read_common(from, where),
          .voice = read_voice_description(from.at("voice"), where)};
}

}  // namespace seda::train::detail
