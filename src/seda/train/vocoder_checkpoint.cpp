// SPDX-License-Identifier: Apache-2.0
#include "seda/train/vocoder_checkpoint.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/build_info.h"
#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/json_object.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVocoder = "vocoder";

Json describe(const VocoderDescription& vocoder) {
  return {{"network", model::describe(vocoder.network)},
          {"discriminators", model::describe(vocoder.discriminators)}};
}

/// Values of one object that are others in the other, which has the same names.
void add_differences(const Json& found, const Json& wanted, const std::string& of,
                     std::vector<std::string>& out) {
  for (const auto& [name, value] : found.items()) {
    const Json& other = wanted.at(name);
    if (value.is_object()) {
      add_differences(value, other, of + name + ".", out);
    } else if (value != other) {
      out.push_back(fmt::format("{}{}: {} in the checkpoint, {} now", of, name,
                                to_json_text(value, -1), to_json_text(other, -1)));
    }
  }
}

/// A voice has checkpoints of its own.
void require_vocoder(const Json& content, const std::string& where) {
  if (!content.is_object() || !content.contains("voice")) return;
  throw_error(ErrorKind::io,
              "{}: expected a vocoder, found a voice: it is for seda synth --checkpoint", where);
}

}  // namespace

std::vector<std::string> differences(const VocoderDescription& found,
                                     const VocoderDescription& wanted) {
  std::vector<std::string> out;
  add_differences(describe(found), describe(wanted), "", out);
  return out;
}

std::string to_text(const VocoderCheckpointDescription& description) {
  Json content = detail::describe_common(description.common);
  content[kVocoder] = describe(description.vocoder);
  return to_json_text(content);
}

VocoderCheckpointDescription parse_vocoder_checkpoint(std::string_view text,
                                                      const std::string& where) {
  const Json content = parse_json(text, where);
  require_vocoder(content, where);
  const JsonObject from(content, where);
  detail::CommonDescription common = detail::read_common(from, where);
  const JsonObject vocoder = from.object(kVocoder);
  return {.common = std::move(common),
          .vocoder = {.network = model::read_vocos_options(vocoder.at("network"), where),
                      .discriminators =
                          model::read_discriminator_options(vocoder.at("discriminators"), where)}};
}

VocoderCheckpoint VocoderCheckpoint::open(const fs::path& folder, bool verify) {
  VocoderCheckpoint out;
  out.folder_ = find_checkpoint_folder(folder);
  const std::string where = (out.folder_ / kDescriptionFile).string();
  out.description_ = parse_vocoder_checkpoint(read_file(where), where);
  if (verify) check_hashes(out.folder_, out.description_.common.hashes);
  return out;
}

SafetensorsFile VocoderCheckpoint::average() const {
  return SafetensorsFile(folder_ / kAverageFile);
}

SafetensorsFile VocoderCheckpoint::training() const {
  return SafetensorsFile(folder_ / kTrainingFile);
}

fs::path write_vocoder_checkpoint(const fs::path& run_folder, const VocoderDescription& vocoder,
                                  const RunProgress& progress, const EngineState& state) {
  return write_checkpoint_folder(
      run_folder, progress.updates, state,
      {.metadata = model::vocos_metadata(vocoder.network),
       .describe = [&](const FileHashes& hashes) {
         return to_text({.common = {.version = std::string(build_info().version),
                                    .progress = progress,
                                    .hashes = hashes},
                         .vocoder = vocoder});
       }});
}

fs::path vocoder_weights(const fs::path& path) {
  if (!fs::is_directory(path)) return path;
  const fs::path best = best_checkpoint(path);
  return VocoderCheckpoint::open(best.empty() ? path : best, /*verify=*/false).folder() /
         kAverageFile;
}

}  // namespace seda::train
