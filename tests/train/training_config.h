// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "seda/config/config.h"

namespace seda::train::testing_support {

inline void set(config::Config& config, const char* key, config::Value value) {
  config.set(key, std::move(value), {.origin = config::Origin::flag, .place = {}, .flag = "x"});
}

/// Trains a little on the CPU, in letters.
inline config::Config training_config() {
  config::Config config;
  set(config, "data.text.phonemes", false);
  set(config, "data.text.tokenizer", std::string("characters"));
  set(config, "data.model_gpu", std::string("cpu"));
  set(config, "data.num_workers", int64_t{2});
  set(config, "data.batch_size", int64_t{4});
  set(config, "data.validation_share", 0.2);
  set(config, "training.max_steps", int64_t{12});
  set(config, "training.log_every", int64_t{3});
  set(config, "training.checkpoint_every", int64_t{4});
  set(config, "training.eval_every", int64_t{6});
  set(config, "training.warmup_steps", int64_t{2});
  return config;
}

}  // namespace seda::train::testing_support
