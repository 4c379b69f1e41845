// SPDX-License-Identifier: Apache-2.0
#include "seda/train/train_options.h"

namespace seda::train {
namespace {

uint64_t count(const config::Config& config, const char* key) {
  return static_cast<uint64_t>(config.integer(key));
}

std::filesystem::path path_or(const config::Config& config, const char* key,
                              const std::filesystem::path& otherwise) {
  return config.is_auto(key) ? otherwise : std::filesystem::path(config.text(key));
}

OptimizerOptions optimizer_options(const config::Config& config) {
  OptimizerOptions options;
  options.weight_decay = config.number("training.weight_decay");
  options.beta1 = config.number("training.beta1");
  options.beta2 = config.number("training.beta2");
  options.epsilon = config.number("training.epsilon");
  options.clip_norm.reset();
  if (!config.is_auto("training.gradient_clip_norm")) {
    options.clip_norm = config.number("training.gradient_clip_norm");
  }
  options.accumulation = static_cast<int>(config.integer("training.gradient_accumulation_steps"));
  options.average_decay = config.number("training.average_decay");
  return options;
}

}  // namespace

TrainOptions train_options(const config::Config& config, const std::filesystem::path& corpus) {
  TrainOptions options;
  options.config = config;
  options.corpus = corpus;
  options.validation = path_or(config, "data.validation_path", {});
  options.run_folder = config.text("training.checkpoint_dir");
  options.tensorboard =
      path_or(config, "training.tensorboard_log_dir", options.run_folder / "tensorboard");
  options.batch_trace = path_or(config, "training.trace_batches", {});
  options.resume = path_or(config, "training.resume", {});
  options.reset = config.boolean("training.reset");
  options.epochs = count(config, "training.epochs");
  options.epochs_given = config.is_wanted("training.epochs");
  if (!config.is_auto("training.max_steps")) {
    options.max_updates = count(config, "training.max_steps");
  }
  options.log_every = count(config, "training.log_every");
  options.eval_every = count(config, "training.eval_every");
  options.checkpoint_every = count(config, "training.checkpoint_every");
  options.keep_checkpoints = count(config, "training.keep_checkpoints");
  options.seed = count(config, "training.seed");
  options.optimizer = optimizer_options(config);
  return options;
}

}  // namespace seda::train
