// SPDX-License-Identifier: Apache-2.0
#include "seda/train/detail/checkpoint_description.h"

#include <type_traits>

#include <nlohmann/json.hpp>

#include "seda/base/build_info.h"
#include "seda/base/error.h"
#include "seda/base/json_whole.h"

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

RunProgress read_progress(const Json& description, const std::string& where) {
  const auto read = [&](const char* name, auto& value) {
    const Json& found = description.at(name);
    if (std::is_same_v<decltype(value), int&> ? !is_whole<int>(found)
                                              : !found.is_number_unsigned()) {
      throw_error(ErrorKind::io, "{}: progress: {}: expected a whole number, found {}", where, name,
                  to_json_text(found, -1));
    }
    found.get_to(value);
  };
  RunProgress progress;
  read("updates", progress.updates);
  read("epoch", progress.sampler.epoch);
  read("batch", progress.sampler.batch);
  read("seed", progress.seed);
  read("ranks", progress.ranks);
  read("threads", progress.threads);
  const Json& best = description.at("best_validation");
  if (!best.is_null()) best.get_to(progress.best_validation);  // infinity has no JSON
  return progress;
}

void require_known_format(const Json& content, const std::string& where) {
  const Json& format = content.at("format");
  if (is_whole<int>(format) && format.get<int>() <= kFormat) return;
  throw_error(ErrorKind::io,
              "{}: expected a checkpoint of format {} or older, found {}, written by seda {}: "
              "use that version or a newer one",
              where, kFormat, to_json_text(format, -1), content.value("version", "of no name"));
}

/// A vocoder has checkpoints of its own.
void require_voice(const Json& content, const std::string& where) {
  if (!content.is_object() || content.contains("voice") || !content.contains("vocoder")) return;
  throw_error(ErrorKind::io,
              "{}: expected a voice, found a vocoder: it is for seda synth --vocoder, and for "
              "seda train --stage vocoder",
              where);
}

CheckpointDescription read_description(const Json& content, const std::string& where) {
  require_voice(content, where);
  return {.common = read_common(content, where),
          .voice = read_voice_description(content.at("voice"), where)};
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

CommonDescription read_common(const Json& content, const std::string& where) {
  require_known_format(content, where);
  const Json& files = content.at("files");
  return {.version = content.at("version").get<std::string>(),
          .progress = read_progress(content.at("progress"), where),
          .hashes = {.average = files.at(kAverageFile).get<std::string>(),
                     .training = files.at(kTrainingFile).get<std::string>()}};
}

std::string to_text(const CheckpointDescription& description) {
  Json content = describe_common(description.common);
  content["voice"] = train::describe(description.voice);
  return to_json_text(content);
}

CheckpointDescription parse_checkpoint(std::string_view text, const std::string& where) {
  const Json content = parse_json(text, where);
  try {
    return read_description(content, where);
  } catch (const Json::exception& problem) {
    throw_error(ErrorKind::io, "{}: expected a checkpoint's description: {}", where,
                problem.what());
  }
}

}  // namespace seda::train::detail
