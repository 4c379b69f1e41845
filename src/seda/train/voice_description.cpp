// SPDX-License-Identifier: Apache-2.0
#include "seda/train/voice_description.h"

#include <set>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_whole.h"
#include "seda/config/describe.h"

namespace seda::train {
namespace {

config::Value to_value(const Json& value, const config::Key& key) {
  using config::Type;
  if (value.is_null()) return std::monostate{};
  if (key.type == Type::integer && !is_whole<int64_t>(value)) {
    throw_error(ErrorKind::config, "{}: expected a whole number, found {}", key.path,
                to_json_text(value, -1));
  }
  switch (key.type) {
    case Type::boolean:
      return value.get<bool>();
    case Type::integer:
      return value.get<int64_t>();
    case Type::number:
      return value.get<double>();
    case Type::list:
      return value.get<std::vector<std::string>>();
    default:
      return value.get<std::string>();
  }
}

/// What a file or a flag has set.
Json given_values(const config::Config& config) {
  Json out = Json::object();
  for (const std::string& path : config.given())
    out[path] = config::to_json(config.value(path));
  return out;
}

config::Config read_config_values(const Json& values, const std::string& where) {
  config::Config out;
  for (const auto& [path, value] : values.items()) {
    const config::Key* key = config::find_key(path);
    if (key == nullptr) {
      throw_error(ErrorKind::io, "{}: expected keys of the configuration, found '{}'", where, path);
    }
    out.set(path, to_value(value, *key),
            {.origin = config::Origin::file, .place = {.file = where}, .flag = {}});
  }
  return out;
}

void compare(const Json& found, const Json& wanted, const std::string& what,
             std::vector<std::string>& out) {
  std::set<std::string> names;
  for (const auto& [name, value] : found.items())
    names.insert(name);
  for (const auto& [name, value] : wanted.items())
    names.insert(name);
  for (const std::string& name : names) {
    const Json before = found.value(name, Json());
    const Json now = wanted.value(name, Json());
    if (before == now) continue;
    out.push_back(fmt::format("{}.{}: {} in the checkpoint, {} now", what, name,
                              to_json_text(before, -1), to_json_text(now, -1)));
  }
}

void compare_names(const std::vector<std::string>& found, const std::vector<std::string>& wanted,
                   const char* what, std::vector<std::string>& out) {
  if (found == wanted) return;
  out.push_back(fmt::format("{}: {} in the checkpoint, {} now", what, to_json_text(Json(found), -1),
                            to_json_text(Json(wanted), -1)));
}

}  // namespace

Json describe(const VoiceDescription& voice) {
  return {{"model", model::describe(voice.model)},
          {"mel", audio::describe(voice.mel)},
          {"language", voice.language},
          {"speakers", voice.speakers},
          {"languages", voice.languages},
          {"config", given_values(voice.config)},
          {"tokenizer", parse_json(voice.tokenizer, "tokenizer")}};
}

VoiceDescription read_voice_description(const Json& description, const std::string& where) {
  try {
    VoiceDescription voice;
    voice.model = model::read_model_options(description.at("model"));
    voice.mel = audio::read_mel_options(description.at("mel"));
    voice.language = description.at("language").get<std::string>();
    voice.speakers = description.at("speakers").get<std::vector<std::string>>();
    voice.languages = description.at("languages").get<std::vector<std::string>>();
    voice.config = read_config_values(description.at("config"), where);
    voice.tokenizer = to_json_text(description.at("tokenizer"), -1);
    return voice;
  } catch (const Json::exception& problem) {
    throw_error(ErrorKind::io, "{}: expected the description of a voice: {}", where,
                problem.what());
  } catch (const Error& problem) {
    throw_error(ErrorKind::io, "{}: {}", where, problem.what());
  }
}

std::vector<std::string> differences(const VoiceDescription& found,
                                     const VoiceDescription& wanted) {
  std::vector<std::string> out;
  Json found_model = model::describe(found.model);
  Json wanted_model = model::describe(wanted.model);
  // A run keeps its own: neither shape nor meaning of a weight depends on them.
  for (const char* own : {"dropout", "mel_mean", "mel_deviation"}) {
    found_model.erase(own);
    wanted_model.erase(own);
  }
  compare(found_model, wanted_model, "model", out);
  compare(audio::describe(found.mel), audio::describe(wanted.mel), "mel", out);
  const Json found_table = parse_json(found.tokenizer, "tokenizer").at("hash");
  const Json wanted_table = parse_json(wanted.tokenizer, "tokenizer").at("hash");
  if (found_table != wanted_table) {
    out.push_back(fmt::format("tokenizer: table {} in the checkpoint, {} now",
                              to_json_text(found_table, -1), to_json_text(wanted_table, -1)));
  }
  compare_names(found.speakers, wanted.speakers, "speakers", out);
  compare_names(found.languages, wanted.languages, "languages", out);
  return out;
}

}  // namespace seda::train
