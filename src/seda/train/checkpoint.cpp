// SPDX-License-Identifier: Apache-2.0
#include "seda/train/checkpoint.h"

#include <nlohmann/json.hpp>

#include "seda/base/build_info.h"
#include "seda/base/file.h"
#include "seda/feed/text_options.h"
#include "seda/train/detail/checkpoint_description.h"

namespace seda::train {

namespace fs = std::filesystem;

fs::path write_checkpoint(const fs::path& run_folder, const VoiceDescription& voice,
                          const RunProgress& progress, const EngineState& state) {
  return write_checkpoint_folder(
      run_folder, progress.updates, state,
      {.metadata = {{"format", "pt"}}, .describe = [&](const FileHashes& hashes) {
         return detail::to_text({.common = {.version = std::string(build_info().version),
                                            .progress = progress,
                                            .hashes = hashes},
                                 .voice = voice});
       }});
}

Checkpoint Checkpoint::open(const fs::path& folder, bool verify) {
  Checkpoint out;
  out.folder_ = find_checkpoint_folder(folder);
  const std::string where = (out.folder_ / kDescriptionFile).string();
  auto description = detail::parse_checkpoint(read_file(where), where);
  if (verify) check_hashes(out.folder_, description.common.hashes);
  out.version_ = std::move(description.common.version);
  out.progress_ = description.common.progress;
  out.voice_ = std::move(description.voice);
  return out;
}

SafetensorsFile Checkpoint::average() const {
  return SafetensorsFile(folder_ / kAverageFile);
}

SafetensorsFile Checkpoint::training() const {
  return SafetensorsFile(folder_ / kTrainingFile);
}

std::unique_ptr<text::Frontend> Checkpoint::frontend() const {
  text::FrontendOptions options = feed::text_options(voice_.config).frontend;
  options.fallback_language = voice_.language;
  const std::string where = (folder_ / kDescriptionFile).string();
  return std::make_unique<text::Frontend>(
      options, text::read_tokenizer(parse_json(voice_.tokenizer, where), where));
}

}  // namespace seda::train
