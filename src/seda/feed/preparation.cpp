// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/preparation.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/thread.h"
#include "seda/cache/collect.h"
#include "seda/cache/description.h"
#include "seda/feed/corpus_language.h"
#include "seda/feed/default_cache.h"
#include "seda/feed/text_record.h"
#include "seda/feed/tokenizer_store.h"

namespace seda::feed {
namespace {

constexpr size_t kManyParts = 8;  // of a table, beyond what its size asks for: each costs lookups

bool has_many_parts(const cache::Table& table) {
  return table.part_count() > kManyParts + table.bytes() / cache::CollectOptions().small_part_bytes;
}

}  // namespace

Preparation::Preparation(PrepareOptions options) : options_(std::move(options)) {
  report_.cache =
      options_.cache.empty() ? default_cache(options_.corpus, options_.shard) : options_.cache;
  report_.audio_kind = options_.audio.kind;
  corpus_ = dataset::read_corpus(options_.corpus, options_.read);
  report_.format = dataset::to_string(corpus_.format);
  report_.evidence = corpus_.evidence;
  report_.faults = corpus_.faults;
  report_.speakers = corpus_.speakers.size();
  options_.text.frontend.fallback_language = corpus_language(corpus_.utterances);
}

void Preparation::take_shard() {
  if (!options_.shard) return;
  size_t position = 0;
  std::erase_if(corpus_.utterances, [&](const dataset::Utterance&) {
    return position++ % options_.shard->count != options_.shard->index;
  });
}

void Preparation::plan(cache::Writer* writer) {
  before_ = cache::Cache::open(report_.cache);
  const cache::Cache* cache = before_ ? &*before_ : nullptr;
  plan_lines(cache, writer);
  plan_files(cache);
  report_.reasons = lines_.reasons;
  for (const auto& [reason, count] : files_.reasons)
    report_.reasons[reason] = std::max(report_.reasons[reason], count);  // "no cache" is of both
  std::vector<bool> built = clips_to_read();
  for (const size_t clip : files_.retried)
    built[clip] = std::ranges::binary_search(lines_.missing, clip);
  report_.clips_built = static_cast<uint64_t>(std::ranges::count(built, true));
}

/// Of each clip: its line or its sound.
std::vector<bool> Preparation::clips_to_read() const {
  std::vector<bool> out(corpus_.utterances.size());
  for (const size_t clip : lines_.missing)
    out[clip] = true;
  for (const size_t clip : files_.missing)
    out[clip] = true;
  return out;
}

void Preparation::plan_lines(const cache::Cache* cache, cache::Writer* writer) {
  // Every shard learns from the whole corpus, so that all learn the same.
  const auto tokenizer =
      corpus_tokenizer(options_.text, corpus_.utterances, cache, writer, options_.force);
  take_shard();
  frontend_ = std::make_unique<text::Frontend>(options_.text.frontend, tokenizer);
  text_description_ = frontend_->description();
  text_description_["record"] = kTextRecordVersion;
  previous_texts_ = std::make_unique<Previous>(cache, kText, text_description_);
  lines_ = plan_texts(corpus_.utterances, *previous_texts_, options_.force);
  report_.text_built = lines_.missing.size();
  report_.text_hits = lines_.keys.size() - lines_.missing.size();
}

void Preparation::plan_files(const cache::Cache* cache) {
  audio_description_ = audio_description(options_.audio);
  previous_sounds_ = std::make_unique<Previous>(cache, kAudio, audio_description_);
  files_ = plan_sounds(
      corpus_, options_.audio, *previous_sounds_,
      {.force = options_.force, .threads = options_.threads, .progress = options_.progress});
  fill_durations(corpus_.utterances, files_, options_.audio.sound.sample_rate, options_.threads);
  order_by_length(files_, corpus_.utterances);
  report_.audio_built = files_.missing.size();
  report_.audio_hits = files_.keys.size() - files_.missing.size();
}

void Preparation::announce() const {
  const auto clips = std::ranges::count(clips_to_read(), true);
  if (clips == 0) return;
  std::string reasons;
  for (const auto& [reason, count] : report_.reasons) {
    reasons += (reasons.empty() ? "" : ", ") + reason;
    if (report_.reasons.size() > 1) reasons += fmt::format(" ({})", count);
  }
  const int workers = options_.threads > 0 ? options_.threads : usable_cores();
  log::info("BUILDING CACHE: {} clips, {} workers, because: {}", clips, workers, reasons);
}

void Preparation::run_stage(cache::Writer& writer, const char* unit, uint64_t total,
                            double& seconds, const std::function<void(Progress&)>& work) const {
  const Stopwatch watch;
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress({"prepare", unit, total, options_.progress, terminal_width()}, clock, sink);
  try {
    work(progress);
  } catch (const Error& error) {
    progress.finish();
    // What is done is kept, unless the disk is what failed.
    if (error.kind() == ErrorKind::interrupted) writer.seal();
    throw;
  }
  writer.seal();
  seconds = watch.seconds();
}

void Preparation::read_lines(cache::Writer& writer) {
  if (lines_.missing.empty()) return;
  const cache::TableWriter table = writer.table(kText.table, text_description_);
  run_stage(writer, "lines", lines_.missing.size(), report_.text_seconds, [&](Progress& progress) {
    report_.lines =
        read_texts(corpus_.utterances, lines_, *frontend_, table, options_.threads, progress);
  });
}

void Preparation::read_files(cache::Writer& writer) {
  if (files_.missing.empty()) return;
  const cache::TableWriter table = writer.table(kAudio.table, audio_description_);
  run_stage(writer, "clips", files_.missing.size(), report_.audio_seconds, [&](Progress& progress) {
    report_.sounds =
        read_sounds(corpus_.utterances, files_, options_.audio, table, options_.threads, progress);
  });
}

void Preparation::join_parts(cache::Writer& writer) const {
  const auto cache = cache::Cache::open(report_.cache);
  if (!cache) return;
  if (std::ranges::any_of(cache->tables(),
                          [](const auto* table) { return has_many_parts(*table); }))
    cache::collect(writer, {});
}

const cache::Table* Preparation::table(const Half& half, const Json& description) const {
  const auto& cache = now_ ? now_ : before_;
  return cache ? cache->find_table(half.table, cache::fingerprint_of(description)) : nullptr;
}

void Preparation::look_again(cache::Writer& writer) {
  if (lines_.missing.empty() && files_.missing.empty()) return;
  join_parts(writer);
  now_ = cache::Cache::open(report_.cache);
  const cache::Table* sounds = table(kAudio, audio_description_);
  if (sounds != nullptr) find_places(files_, *sounds);
}

}  // namespace seda::feed
