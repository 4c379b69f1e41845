// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "seda/config/schema.h"

namespace seda::config {
namespace {

Flag takes(std::string name, std::string key) {
  return {.name = std::move(name), .key = std::move(key), .sets = {}};
}

Flag sets(std::string name, std::string key, bool value) {
  return {.name = std::move(name), .key = std::move(key), .sets = value};
}

}  // namespace

std::span<const Flag> flags() {
  static const std::vector<Flag> all = {
      takes("--train-data", "data.dataset_path"),
      takes("--data-path", "data.dataset_path"),
      takes("--val-data", "data.validation_path"),
      takes("--format", "data.format"),
      takes("--cache-dir", "data.cache_dir"),
      takes("--hash", "data.hash"),
      takes("--batch-size", "data.batch_size"),
      takes("--batch-frames", "data.batch_frames"),
      takes("--num-workers", "data.num_workers"),
      takes("--prefetch-buffer-size", "data.prefetch_buffer_size"),
      takes("--buffer-size", "data.pipeline_buffer_size"),
      sets("--enable-static-shapes", "data.pad_to_fixed_length", true),
      sets("--disable-static-shapes", "data.pad_to_fixed_length", false),
      takes("--max-text-length", "data.max_text_length"),
      takes("--max-mel-frames", "data.max_mel_frames"),
      sets("--prefetch-to-gpu", "data.prefetch_to_gpu", true),
      sets("--no-prefetch-to-gpu", "data.prefetch_to_gpu", false),
      takes("--data-gpu", "data.data_gpu"),
      takes("--model-gpu", "data.model_gpu"),
      sets("--enable-memory-isolation", "data.memory_isolation", true),
      takes("--data-gpu-memory", "data.data_gpu_memory"),
      takes("--model-gpu-memory", "data.model_gpu_memory"),
      sets("--cache-dataset", "data.cache_dataset", true),
      takes("--preprocessing-mode", "data.preprocessing_mode"),
      sets("--trim-silence", "data.audio.trim_silence", true),
      takes("--silence-threshold", "data.audio.silence_threshold"),
      takes("--trim-margin", "data.audio.trim_margin"),
      takes("--loudness", "data.audio.loudness"),
      takes("--peak", "data.audio.peak"),
      takes("--resample-quality", "data.audio.resample_quality"),
      takes("--preset", "data.mel.preset"),
      takes("--sample-rate", "data.mel.sample_rate"),
      takes("--n-fft", "data.mel.n_fft"),
      takes("--hop-length", "data.mel.hop_length"),
      takes("--win-length", "data.mel.win_length"),
      takes("--n-mels", "data.mel.n_mels"),
      takes("--fmin", "data.mel.fmin"),
      takes("--fmax", "data.mel.fmax"),
      takes("--language", "data.text.language"),
      takes("--model-size", "model.size"),
      takes("--lr", "training.lr"),
      takes("--epochs", "training.epochs"),
      takes("--max-steps", "training.max_steps"),
      takes("--grad-accum", "training.gradient_accumulation_steps"),
      takes("--discriminator-start", "training.discriminator_start"),
      takes("--checkpoint-dir", "training.checkpoint_dir"),
      takes("--resume", "training.resume"),
      sets("--reset-training", "training.reset", true),
      takes("--tensorboard-log-dir", "training.tensorboard_log_dir"),
      takes("--trace-batches", "training.trace_batches"),
      takes("--seed", "training.seed"),
      sets("--no-xla", "training.enable_xla_compilation", false),
      sets("--no-mixed-precision", "training.mixed_precision", false),
  };
  return all;
}

}  // namespace seda::config
