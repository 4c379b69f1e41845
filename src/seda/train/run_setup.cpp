// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_setup.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/log.h"
#include "seda/dataset/corpus.h"
#include "seda/feed/corpus_frontend.h"
#include "seda/feed/memory_needs.h"
#include "seda/feed/prepare_options.h"
#include "seda/feed/renumbered_source.h"
#include "seda/train/mel_statistics.h"
#include "seda/train/resume.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

size_t held_out(const feed::ClipSource& source) {
  return static_cast<size_t>(std::ranges::count_if(source.rows(), [](const feed::ClipRow& row) {
    return row.is_usable() && row.split == static_cast<uint32_t>(dataset::Split::validation);
  }));
}

/// The language that most clips have.
std::string main_language(const feed::ClipSource& source) {
  std::map<int32_t, size_t> counts;
  for (uint32_t row = 0; row < source.rows().size(); ++row)
    ++counts[source.language(row)];
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  return source.languages().at(static_cast<size_t>(most->first));
}

std::string tokenizer_artefact(const feed::PrepareOptions& corpus) {
  auto tokenizer = feed::ready_tokenizer(corpus.text);
  if (tokenizer == nullptr) {
    const auto utterances = dataset::read_corpus(corpus.corpus, corpus.read).utterances;
    tokenizer = feed::corpus_frontend(corpus, utterances)->tokenizer();
  }
  return to_json_text(tokenizer->artefact(), -1);
}

VoiceDescription describe_voice(const TrainOptions& options, const feed::OpenedClips& clips) {
  const feed::ClipSource& source = *clips.source;
  VoiceDescription voice;
  voice.config = options.config;
  voice.mel = source.mel();
  voice.tokenizer = tokenizer_artefact(clips.corpus);
  voice.language = main_language(source);
  voice.speakers = source.speakers();
  voice.languages = source.languages();
  voice.model = model::model_options(options.config);
  voice.model.symbols =
      static_cast<int>(parse_json(voice.tokenizer, "tokenizer").at("symbols").size());
  voice.model.speakers = static_cast<int>(voice.speakers.size());
  voice.model.languages = static_cast<int>(voice.languages.size());
  voice.model.n_mels = voice.mel.n_mels;
  return voice;
}

/// How large batches were or are, as a configuration says.
feed::FeedOptions batches_of(const config::Config& config) {
  constexpr const char* kFrames = "data.batch_frames";
  feed::FeedOptions out;
  out.batch_size = static_cast<int>(config.integer("data.batch_size"));
  out.batch_frames = config.is_auto(kFrames) ? 0 : static_cast<int>(config.integer(kFrames));
  return out;
}

void warn_of_other_batches(const config::Config& before, const config::Config& now) {
  const std::string then = feed::batch_words(batches_of(before));
  const std::string here = feed::batch_words(batches_of(now));
  if (then == here) return;
  log::warning(
      "the checkpoint was trained with batches of {}, this run has batches of {}: the order of "
      "clips differs from here on",
      then, here);
}

/// Where epochs are shorter than they were, the one it was in may be over.
void stay_in_epoch(RunSetup& setup) {
  feed::SamplerState& next = setup.progress.sampler;
  feed::FeedOptions from_the_start = setup.feed;
  from_the_start.start = {};
  const size_t batches = feed::make_sampler(setup.plan, from_the_start).batches_per_epoch();
  if (next.batch > batches) {
    log::info("epoch {} has {} batches now and is over: going on with epoch {}", next.epoch,
              batches, next.epoch + 1);
    next = {.epoch = next.epoch + 1, .batch = 0};
  }
  setup.feed.start = next;
}

void go_on(RunSetup& setup, const Checkpoint& checkpoint, const TrainOptions& options) {
  require_fit(checkpoint.folder(), differences(checkpoint.voice(), setup.voice));
  setup.voice.model.mel_mean = checkpoint.voice().model.mel_mean;
  setup.voice.model.mel_deviation = checkpoint.voice().model.mel_deviation;
  setup.progress = checkpoint.progress();
  stay_in_epoch(setup);
  if (setup.progress.seed != options.seed || setup.progress.ranks != options.ranks.count) {
    log::warning(
        "the checkpoint was trained with seed {} and {} ranks, this run has seed {} and {}: the "
        "order of clips differs from here on",
        setup.progress.seed, setup.progress.ranks, options.seed, options.ranks.count);
  }
  if (setup.progress.ranks == options.ranks.count) {
    warn_of_other_batches(checkpoint.voice().config, options.config);
  }
  setup.progress.seed = options.seed;  // checkpoints from here on are of this run
  setup.progress.ranks = options.ranks.count;
  log::info("going on from {}: step {}, epoch {}, batch {}", checkpoint.folder().string(),
            setup.progress.updates, setup.progress.sampler.epoch, setup.progress.sampler.batch);
}

/// In the clips' own order, from the start, by the one rank that does it.
feed::FeedOptions validation_feed(feed::FeedOptions options) {
  options.split = dataset::Split::validation;
  options.order.shuffle = false;
  options.order.rank = 0;
  options.order.ranks = 1;
  options.heeds_interrupt = true;
  options.start = {};
  options.resident = false;
  options.native = true;  // the reference loader is for comparing how training is fed
  options.announce = false;
  return options;
}

feed::MemoryPlan memory_of(const feed::ClipSource& source, const feed::FeedOptions& options,
                           const device::Platform& platform) {
  const feed::FeedPlan plan = feed::plan_feed(source.rows(), source.mel(), options);
  return feed::plan_memory(feed::memory_needs(source, plan, feed::with_prefetch(options, plan)),
                           options, platform);
}

/// Two loaders are there while a run validates, and torch has the rest of the model's budget.
void share_budgets(RunSetup& setup, const device::Platform& platform) {
  using feed::MemoryRole;
  if (!setup.feed.budgets.isolated) return;
  const feed::MemoryPlan training = memory_of(*setup.clips.source, setup.feed, platform);
  feed::Budgets& rest = setup.validation_feed.budgets;
  rest.data_bytes -= std::min(rest.data_bytes, training.bytes(MemoryRole::data));
  rest.model_bytes -= std::min(rest.model_bytes, training.bytes(MemoryRole::model));
  setup.torch_bytes = rest.model_bytes;
  if (setup.validation == nullptr) return;
  try {
    setup.torch_bytes -= std::min(
        setup.torch_bytes,
        memory_of(*setup.validation, setup.validation_feed, platform).bytes(MemoryRole::model));
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("beside training, validation: {}", error.what()));
  }
}

}  // namespace

FileLock lock_run_folder(const TrainOptions& options) {
  create_folders(options.run_folder);
  FileLock lock(options.run_folder / fmt::format(".lock-{}", options.ranks.rank));
  if (options.ranks.rank == 0) remove_unfinished(options.run_folder);  // the rank that writes
  return lock;
}

feed::OpenedClips open_corpus(const TrainOptions& options, const fs::path& corpus,
                              const device::Platform& platform) {
  feed::OpenOptions open = feed::open_options(options.config, corpus, &platform);
  open.use_cache = options.use_cache;
  open.announce = options.announce_cache;
  open.waits = !options.ranks.alone();
  open.prepare.progress = options.progress;
  return feed::open_clips(open);
}

std::shared_ptr<const feed::ClipSource> open_validation(const TrainOptions& options,
                                                        const feed::OpenedClips& clips,
                                                        const device::Platform& platform) {
  if (options.validation.empty()) {
    if (held_out(*clips.source) > 0) return clips.source;
    log::warning(
        "no clip is held out, so nothing is validated and no checkpoint is the best: set "
        "data.validation_share or data.validation_path");
    return nullptr;
  }
  const auto opened = open_corpus(options, options.validation, platform);
  auto source = feed::renumbered_source(opened.source, *clips.source);
  if (held_out(*source) > 0) return source;
  throw_error(ErrorKind::check_failed,
              "data.validation_path: expected clips to validate with, found none that can be used "
              "in {}; leave the key out to hold clips of the training corpus out",
              options.validation.string());
}

void warn_of_other_threads(int before, int now) {
  if (before == now) return;
  log::warning(
      "the checkpoint was trained with {} threads, this run has {}: losses differ in their last "
      "digits from here on; OMP_NUM_THREADS={} makes them equal",
      before, now, before);
}

RunSetup set_up(const TrainOptions& options, const device::Platform& platform) {
  RunSetup setup;
  setup.feed = feed::feed_options(options.config, platform);
  setup.feed.order.rank = options.ranks.rank;
  setup.feed.order.ranks = options.ranks.count;
  setup.feed.processes = options.ranks.local_count;
  setup.feed.heeds_interrupt = options.ranks.alone();  // else all stop after the same step
  setup.clips = open_corpus(options, options.corpus, platform);
  setup.validation = open_validation(options, setup.clips, platform);
  setup.plan = feed::plan_feed(setup.clips.source->rows(), setup.clips.source->mel(), setup.feed);
  setup.voice = describe_voice(options, setup.clips);
  setup.validation_feed = validation_feed(setup.feed);
  share_budgets(setup, platform);
  setup.progress.seed = options.seed;
  setup.progress.ranks = options.ranks.count;
  setup.resumed = find_checkpoint<Checkpoint>(options);
  if (setup.resumed) {
    go_on(setup, *setup.resumed, options);
    return setup;
  }
  const MelStatistics mels = measure_mels(*setup.clips.source);
  setup.voice.model.mel_mean = mels.mean;
  setup.voice.model.mel_deviation = mels.deviation;
  return setup;
}

std::vector<std::string> clip_ids(const RunSetup& setup, const std::vector<uint32_t>& clips) {
  std::vector<std::string> out;
  out.reserve(clips.size());
  for (const uint32_t clip : clips)
    out.emplace_back(setup.clips.source->id(clip));
  return out;
}

EngineOptions engine_options(const TrainOptions& options, const RunSetup& setup) {
  const config::Config& config = options.config;
  const bool gpu = setup.feed.roles.model.is_cuda();
  EngineOptions engine;
  engine.model = setup.voice.model;
  engine.optimizer = options.optimizer;
  engine.ranks = options.ranks;
  engine.seed = options.seed;
  engine.checked = config.boolean("training.enable_eager_debug");
  engine.mixed_precision = config.boolean_or("training.mixed_precision", gpu);
  engine.graphs = gpu && !engine.checked && config.boolean("training.enable_graph_mode");
  engine.fused = !engine.checked && config.boolean("training.enable_xla_compilation");
  engine.deterministic = config.boolean("training.deterministic");
  engine.memory_limit_bytes = gpu ? setup.torch_bytes : 0;
  engine.look_ms = setup.feed.inject.sync_ms;
  return engine;
}

}  // namespace seda::train
