// SPDX-License-Identifier: Apache-2.0
#include "seda/train/vocoder_setup.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/config/schema.h"
#include "seda/train/resume.h"
#include "seda/train/run_setup.h"

namespace seda::train {
namespace {

constexpr const char* kStage = "--stage vocoder";
constexpr const char* kKept = "data.preprocessing_mode";
constexpr const char* kFolder = "training.checkpoint_dir";
constexpr const char* kEvents = "training.tensorboard_log_dir";
constexpr const char* kTrace = "training.trace_batches";

/// What this stage takes where no flag says anything and a file no more than the default.
struct StageDefault {
  const char* key;
  config::Value value;
};

std::vector<StageDefault> stage_defaults() {
  return {{"model.size", std::string("normal")},
          {"training.lr", 5e-4},
          {"training.beta1", 0.8},
          {"training.beta2", 0.99},
          {"training.gradient_clip_norm", std::monostate()}};
}

/// Keys of the loader and of voices.
constexpr std::array kNotOfThisStage = {"data.batch_frames",
                                        "data.prefetch_buffer_size",
                                        "data.pipeline_buffer_size",
                                        "data.pad_to_fixed_length",
                                        "data.max_text_length",
                                        "data.max_mel_frames",
                                        "data.prefetch_to_gpu",
                                        "data.data_gpu",
                                        "data.memory_isolation",
                                        "data.data_gpu_memory",
                                        "data.model_gpu_memory",
                                        "data.cache_dataset",
                                        "training.gradient_accumulation_steps",
                                        kTrace};

config::Source of_stage() {
  return {.origin = config::Origin::flag, .place = {}, .flag = kStage};
}

void warn_of_flags(const config::Config& config) {
  std::vector<std::string> flags;
  for (const char* key : kNotOfThisStage) {
    const config::Source& source = config.source(key);
    if (source.origin == config::Origin::flag) flags.push_back(source.flag);
  }
  if (flags.empty()) return;
  log::warning(
      "{} does not look at {}: its sounds lie where the network is, and it cuts pieces of "
      "its own",
      kStage, fmt::join(flags, ", "));
}

void warn_of_mels(const config::Config& config) {
  if (config.is_auto(kKept) || config.text(kKept) == "on_the_fly") return;
  log::warning("{} needs sounds: it keeps samples beside the mels that {} asks for ({})", kStage,
               kKept, config.source(kKept).text());
}

/// Where no flag names one, beside the voice's.
void set_own_folder(config::Config& config, const char* key) {
  if (config.is_auto(key) || config.source(key).origin == config::Origin::flag) return;
  const std::filesystem::path of_voice = config.text(key);
  config.set(key, (of_voice / "vocoder").string(), of_stage());
}

void require_one_rank(const Ranks& ranks) {
  if (ranks.alone()) return;
  throw_error(ErrorKind::usage,
              "{} trains in one process, found {} ranks: start it without torchrun", kStage,
              ranks.count);
}

void require_samples(const feed::ClipSource& source, const std::filesystem::path& corpus) {
  if (source.kind() == feed::AudioKind::pcm16) return;
  throw_error(ErrorKind::io,
              "{}: expected sounds, found a cache of mels ({}), which could not be written anew; "
              "name another with --cache-dir, or read raw files with --no-prepare",
              corpus.string(), source.path());
}

VocoderDescription describe_vocoder(const TrainOptions& options, const audio::MelOptions& mel) {
  const model::VocoderSize size = model::vocoder_size(options.config.text("model.size"));
  VocoderDescription out{.network = size.network, .discriminators = size.discriminators};
  out.network.mel = mel;
  return out;
}

/// Pieces as long as the size asks for, and no shorter than what is looked at in one go.
int crop_frames(const TrainOptions& options, const VocoderDescription& vocoder) {
  const audio::MelOptions& mel = vocoder.network.mel;
  const int wanted = std::max({model::vocoder_size(options.config.text("model.size")).crop_samples,
                               mel.n_fft, std::ranges::max(vocoder.discriminators.spectrum_sizes)});
  return (wanted + mel.hop_length - 1) / mel.hop_length;
}

void go_on(VocoderSetup& setup, const VocoderCheckpoint& checkpoint, const TrainOptions& options) {
  require_fit(checkpoint.folder(), differences(checkpoint.vocoder(), setup.vocoder));
  setup.progress = checkpoint.progress();
  if (setup.progress.seed != options.seed) {
    log::warning(
        "the checkpoint was trained with seed {}, this run has {}: pieces differ from "
        "here on",
        setup.progress.seed, options.seed);
  }
  setup.progress.seed = options.seed;
  log::info("going on from {}: step {}", checkpoint.folder().string(), setup.progress.updates);
}

}  // namespace

config::Config vocoder_config(config::Config config) {
  warn_of_flags(config);
  warn_of_mels(config);
  config.set(kKept, std::string("on_the_fly"), of_stage());
  for (StageDefault& stage_default : stage_defaults()) {
    const char* key = stage_default.key;
    if (!config.is_wanted(key)) config.set(key, std::move(stage_default.value), of_stage());
  }
  set_own_folder(config, kFolder);
  set_own_folder(config, kEvents);
  config.set(kTrace, std::monostate(), of_stage());  // the voice's
  return config;
}

VocoderSetup set_up_vocoder(const TrainOptions& options, const device::Platform& platform) {
  require_one_rank(options.ranks);
  const feed::FeedOptions feed = feed::feed_options(options.config, platform);
  VocoderSetup setup;
  setup.roles = {.data = feed.roles.model, .model = feed.roles.model};
  setup.rows = feed.batch_size;
  setup.clips = open_corpus(options, options.corpus, platform);
  setup.validation = open_validation(options, setup.clips, platform);
  require_samples(*setup.clips.source, options.corpus);
  if (setup.validation != nullptr) require_samples(*setup.validation, options.validation);
  setup.vocoder = describe_vocoder(options, setup.clips.source->mel());
  setup.crop_frames = crop_frames(options, setup.vocoder);
  setup.progress.seed = options.seed;
  setup.resumed = find_checkpoint<VocoderCheckpoint>(options);
  if (setup.resumed) go_on(setup, *setup.resumed, options);
  return setup;
}

VocoderEngineOptions vocoder_engine_options(const TrainOptions& options,
                                            const VocoderSetup& setup) {
  const config::Config& config = options.config;
  const bool gpu = setup.roles.model.is_cuda();
  VocoderEngineOptions engine;
  engine.network = setup.vocoder.network;
  engine.discriminators = setup.vocoder.discriminators;
  engine.optimizer = options.optimizer;
  engine.optimizer.accumulation = 1;
  engine.rows = setup.rows;
  engine.crop_frames = setup.crop_frames;
  engine.judged_from = static_cast<uint64_t>(config.integer("training.discriminator_start"));
  engine.seed = options.seed;
  engine.mixed_precision = config.boolean_or("training.mixed_precision", gpu);
  engine.graphs = gpu && config.boolean("training.enable_graph_mode") &&
                  !config.boolean("training.enable_eager_debug");
  engine.fused = config.boolean("training.enable_xla_compilation");
  engine.deterministic = config.boolean("training.deterministic");
  return engine;
}

}  // namespace seda::train
