// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare_options.h"

namespace seda::feed {
namespace {

bool has_gpu(const config::Config& config, const device::Platform* platform) {
  if (!config.is_auto("data.preprocessing_mode")) return false;
  return (platform != nullptr ? platform->cuda_absence() : device::Platform().cuda_absence())
      .empty();
}

/// What `data.format`, `data.validation_*` and the threads ask of reading a corpus.
dataset::ReadOptions read_options(const config::Config& config) {
  dataset::ReadOptions options;
  if (!config.is_auto("data.format")) {
    options.format = dataset::parse_format(config.text("data.format"));
  }
  options.validation_share = config.number("data.validation_share");
  if (!config.is_auto("data.validation_list")) {
    options.validation_list = config.text("data.validation_list");
  }
  options.threads = worker_threads(config);
  return options;
}

}  // namespace

int worker_threads(const config::Config& config) {
  return config.is_auto("data.num_workers") ? 0
                                            : static_cast<int>(config.integer("data.num_workers"));
}

PrepareOptions prepare_options(const config::Config& config, const std::filesystem::path& corpus,
                               const device::Platform* platform) {
  PrepareOptions options;
  options.corpus = corpus;
  if (!config.is_auto("data.cache_dir")) options.cache = config.text("data.cache_dir");
  options.read = read_options(config);
  options.text = text_options(config);
  options.audio = audio_options(config, has_gpu(config, platform));
  options.threads = worker_threads(config);
  return options;
}

OpenOptions open_options(const config::Config& config, const std::filesystem::path& corpus,
                         const device::Platform* platform) {
  OpenOptions options;
  options.prepare = prepare_options(config, corpus, platform);
  options.memory_mapping = config.boolean("data.enable_memory_mapping");
  options.verify = config.boolean("data.cache_verification");
  options.max_fault_share = config.number("data.max_fault_share");
  return options;
}

}  // namespace seda::feed
