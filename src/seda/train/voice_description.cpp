// SPDX-License-Identifier: Apache-2.0
#include "seda/train/voice_description.h"

#include <set>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_object.h"
#include "seda/config/describe.h"

namespace seda::train {
namespace {

config::Value to_value(const Json& value, const config::Key& key) {
  using config::Type;
  if (value.is_null()) return std::monostate{};
  switch (key.type) {
    case Type::boolean:
      return json_value<bool>(value, key.path);
    case Type::integer:
      return json_value<int64_t>(value, key.path);
    case Type::number:
      return json_value<double>(value, key.path);
    case Type::list:
      return json_value<std::vector<std::string>>(value, key.path);
    default:
      return json_value<std::string>(value, key.path);
  }
}

/// What a file or a flag has set.
Json given_values(const config::Config& config) {
  Json out = Json::object();
  for (const std::string& path : config.given())
    out[path] = config::to_json(config.value(path));
  return out;
}

config::Config read_config_values(const JsonObject& values, const std::string& where) {
  config::Config out;
  for (const auto& [path, value] : values.value().items()) {
    const config::Key* key = config::find_key(path);
    if (key == nullptr) {
      throw_error(ErrorKind::io, "expected keys of the configuration, found '{}'", path);
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

std::string table_hash(const VoiceDescription& voice) {
  const Json tokenizer = parse_json(voice.tokenizer, "tokenizer");
  return JsonObject(tokenizer, "tokenizer").get<std::string>("hash");
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
    const JsonObject from(description, "voice");
    VoiceDescription voice;
    voice.model = model::read_model_options(from.at("model"));
    voice.mel = audio::read_mel_options(from.at("mel"));
    from.read("language", voice.language);
    from.read("speakers", voice.speakers);
    from.read("languages", voice.languages);
    voice.config = read_config_values(from.object("config"), where);
    voice.tokenizer = to_json_text(from.at("tokenizer"), -1);
    return voice;
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
  const std::string found_table = table_hash(found);
  const std::string wanted_table = table_hash(wanted);
  if (found_table != wanted_table) {
    out.push_back(
        fmt::format("tokenizer: table {} in the checkpoint, {} now", found_table, wanted_table));
  }
  compare_names(found.speakers, wanted.speakers, "speakers", out);
  compare_names(found.languages, wanted.languages, "languages", out);
  return out;
}

}  // namespace seda::train
