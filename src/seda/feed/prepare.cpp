// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare.h"

#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/thread.h"
#include "seda/cache/collect.h"
#include "seda/cache/description.h"
#include "seda/feed/audio_plan.h"
#include "seda/feed/corpus_language.h"
#include "seda/feed/list_clips.h"
#include "seda/feed/sound_faults.h"
#include "seda/feed/text_record.h"
#include "seda/feed/tokenizer_store.h"

namespace seda::feed {
namespace {

namespace fs = std::filesystem;

constexpr size_t kExamples = 5;
constexpr size_t kManyParts = 8;  // of a table, beyond what its size asks for: each costs lookups

bool has_many_parts(const cache::Table& table) {
  return table.part_count() > kManyParts + table.bytes() / cache::CollectOptions().small_part_bytes;
}

/// One run over a corpus.
class Preparation {
 public:
  explicit Preparation(PrepareOptions options);

  const fs::path& cache() const noexcept { return report_.cache; }

  /// Looks up what the cache has. `writer` is null in a dry run.
  void plan(cache::Writer* writer);
  void announce() const;
  void read_lines(cache::Writer& writer);
  void read_files(cache::Writer& writer);
  /// Looks again, where records were made.
  void look_again(cache::Writer& writer);
  /// Sets aside what cannot be used, and lists the clips.
  void list(cache::Writer& writer);
  /// Sets aside what is known to be bad, without a listing.
  void judge();
  void show_examples();
  PrepareReport finish();

 private:
  void take_shard();
  void plan_lines(const cache::Cache* cache, cache::Writer* writer);
  void plan_files(const cache::Cache* cache);
  void run_stage(cache::Writer& writer, const char* unit, uint64_t total, double& seconds,
                 const std::function<void(Progress&)>& work) const;
  void join_parts(cache::Writer& writer) const;
  const cache::Table* table(const Half& half, const Json& description) const;
  void judge_lines(const ListingWriter& listing);
  void count_clips();
  Json listing_description() const;
  ListingInfo listing_info() const;

  Stopwatch watch_;
  PrepareOptions options_;
  PrepareReport report_;
  dataset::Corpus corpus_;
  std::optional<cache::Cache> before_;  // the cache as it was
  std::optional<cache::Cache> now_;     // and as it is when all records are made
  std::unique_ptr<text::Frontend> frontend_;
  Json text_description_;
  Json audio_description_;
  std::unique_ptr<Previous> previous_texts_;
  std::unique_ptr<Previous> previous_sounds_;
  TextPlan lines_;
  AudioPlan files_;
  std::vector<bool> bad_;  // of each clip: it cannot be used
};

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
  files_ =
      plan_sounds(corpus_, options_.audio, *previous_sounds_, options_.force, options_.threads);
  fill_durations(corpus_.utterances, files_, options_.audio.sound.sample_rate, options_.threads);
  order_by_length(files_, corpus_.utterances);
  report_.audio_built = files_.missing.size();
  report_.audio_hits = files_.keys.size() - files_.missing.size();
}

void Preparation::announce() const {
  std::vector<bool> work(corpus_.utterances.size());
  for (const size_t clip : lines_.missing)
    work[clip] = true;
  for (const size_t clip : files_.missing)
    work[clip] = true;
  const auto clips = std::ranges::count(work, true);
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

void Preparation::list(cache::Writer& writer) {
  if (corpus_.utterances.empty()) return;  // nothing was made; the faults tell why
  const cache::Table* texts = table(kText, text_description_);
  if (texts == nullptr) throw_error(ErrorKind::internal, "the table of texts was not sealed");
  const ListingWriter listing =
      list_clips({corpus_, lines_, *texts, *previous_texts_, files_, options_.audio.mel});
  judge_lines(listing);
  judge();
  store_listing(writer, before_ ? &*before_ : nullptr, listing, listing_description(),
                listing_info());
}

Json Preparation::listing_description() const {
  return {{"version", kListingVersion},
          {"text", cache::fingerprint_of(text_description_).hex()},
          {"audio", cache::fingerprint_of(audio_description_).hex()},
          {"mel", audio::describe(options_.audio.mel)}};
}

ListingInfo Preparation::listing_info() const {
  const text::Tokenizer& tokenizer = *frontend_->tokenizer();
  ListingInfo info;
  info.text = cache::fingerprint_of(text_description_).hex();
  info.audio = cache::fingerprint_of(audio_description_).hex();
  if (tokenizer.kind() == text::TokenizerKind::sentencepiece &&
      options_.text.tokenizer_model.empty()) {
    info.vocabulary = cache::fingerprint_of(vocabulary_description(options_.text)).hex();
  }
  info.tokenizer = to_json_text(tokenizer.artefact(), -1);
  info.mel = to_json_text(audio::describe(options_.audio.mel), -1);
  info.prepared_at = utc_now();
  info.clips = corpus_.utterances.size();
  info.usable = report_.clips;
  info.hours = report_.hours;
  return info;
}

void Preparation::judge_lines(const ListingWriter& listing) {
  bad_.resize(listing.rows().size());
  for (size_t i = 0; i < listing.rows().size(); ++i) {
    const ClipRow& row = listing.rows()[i];
    ++report_.languages[std::string(listing.string(row.language))];
    report_.unknown_symbols += row.unknown;
    if (row.symbols > 0) continue;
    bad_[i] = true;
    const dataset::Utterance& utterance = corpus_.utterances[i];
    report_.faults.push_back(
        {utterance.id, "text_silent",
         fmt::format("{}:{}: nothing is left to speak of '{}'", utterance.source, utterance.line,
                     utterance.text.substr(0, 80))});
  }
}

void Preparation::judge() {
  bad_.resize(corpus_.utterances.size());
  const SoundEvidence evidence{corpus_, files_, table(kAudio, audio_description_),
                               report_.sounds.unread, options_.audio.mel};
  for (size_t i = 0; i < bad_.size(); ++i) {
    auto fault = sound_fault(evidence, i);
    if (!fault) continue;
    bad_[i] = true;
    report_.faults.push_back(std::move(*fault));
  }
  count_clips();
}

void Preparation::count_clips() {
  const double rate = options_.audio.sound.sample_rate;
  for (size_t i = 0; i < bad_.size(); ++i) {
    if (bad_[i]) continue;
    const dataset::Utterance& utterance = corpus_.utterances[i];
    const uint64_t samples = files_.places[i].samples;
    const double seconds =
        samples > 0 ? static_cast<double>(samples) / rate : utterance.duration_s.value_or(0);
    ++report_.clips;
    report_.validation_clips += utterance.split == dataset::Split::validation ? 1 : 0;
    report_.hours += seconds / 3600;
  }
}

void Preparation::show_examples() {
  const size_t count = std::min(kExamples, corpus_.utterances.size());
  report_.examples.assign(corpus_.utterances.begin(),
                          corpus_.utterances.begin() + static_cast<std::ptrdiff_t>(count));
}

PrepareReport Preparation::finish() {
  if (const auto cache = cache::Cache::open(report_.cache)) report_.bytes = cache->bytes();
  report_.language_memo = frontend_->language_memo();
  report_.normalization_memo = frontend_->normalization_memo();
  report_.seconds = watch_.seconds();
  return std::move(report_);
}

}  // namespace

PrepareReport prepare(const PrepareOptions& options) {
  Preparation preparation(options);
  cache::Writer writer(preparation.cache());
  preparation.plan(&writer);
  preparation.announce();
  preparation.read_lines(writer);
  preparation.read_files(writer);
  preparation.look_again(writer);
  if (options.shard) {
    preparation.judge();
  } else {
    preparation.list(writer);
  }
  return preparation.finish();
}

PrepareReport plan_prepare(const PrepareOptions& options) {
  Preparation preparation(options);
  preparation.plan(nullptr);
  preparation.judge();
  preparation.show_examples();
  return preparation.finish();
}

}  // namespace seda::feed
