// SPDX-License-Identifier: Apache-2.0
#include "seda/config/schema.h"

namespace seda::config {

std::span<const Flag> flags() {
  static const std::vector<Flag> all = {
      {"--train-data", "data.dataset_path", {}},
      {"--data-path", "data.dataset_path", {}},
      {"--val-data", "data.validation_path", {}},
      {"--format", "data.format", {}},
      {"--cache-dir", "data.cache_dir", {}},
      {"--hash", "data.hash", {}},
      {"--batch-size", "data.batch_size", {}},
      {"--num-workers", "data.num_workers", {}},
      {"--prefetch-buffer-size", "data.prefetch_buffer_size", {}},
      {"--buffer-size", "data.pipeline_buffer_size", {}},
      {"--enable-static-shapes", "data.pad_to_fixed_length", true},
      {"--disable-static-shapes", "data.pad_to_fixed_length", false},
      {"--max-text-length", "data.max_text_length", {}},
      {"--max-mel-frames", "data.max_mel_frames", {}},
      {"--prefetch-to-gpu", "data.prefetch_to_gpu", true},
      {"--no-prefetch-to-gpu", "data.prefetch_to_gpu", false},
      {"--data-gpu", "data.data_gpu", {}},
      {"--model-gpu", "data.model_gpu", {}},
      {"--enable-memory-isolation", "data.memory_isolation", true},
      {"--data-gpu-memory", "data.data_gpu_memory", {}},
      {"--model-gpu-memory", "data.model_gpu_memory", {}},
      {"--cache-dataset", "data.cache_dataset", true},
      {"--preset", "data.mel.preset", {}},
      {"--language", "data.text.language", {}},
      {"--model-size", "model.size", {}},
      {"--lr", "training.lr", {}},
      {"--epochs", "training.epochs", {}},
      {"--max-steps", "training.max_steps", {}},
      {"--grad-accum", "training.gradient_accumulation_steps", {}},
      {"--checkpoint-dir", "training.checkpoint_dir", {}},
      {"--resume", "training.resume", {}},
      {"--reset-training", "training.reset", true},
      {"--tensorboard-log-dir", "training.tensorboard_log_dir", {}},
      {"--trace-batches", "training.trace_batches", {}},
      {"--seed", "training.seed", {}},
      {"--no-xla", "training.enable_xla_compilation", false},
      {"--no-mixed-precision", "training.mixed_precision", false},
  };
  return all;
}

}  // namespace seda::config
