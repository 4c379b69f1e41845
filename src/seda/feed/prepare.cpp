// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/thread.h"
#include "seda/cache/collect.h"
#include "seda/cache/description.h"
#include "seda/feed/corpus_language.h"
#include "seda/feed/durations.h"
#include "seda/feed/list_clips.h"
#include "seda/feed/text_record.h"
#include "seda/feed/tokenizer_store.h"

namespace seda::feed {
namespace {

namespace fs = std::filesystem;

constexpr size_t kExamples = 5;
constexpr size_t kManyParts = 8;  // of a table: each costs every lookup

/// One run over a corpus.
class Preparation {
 public:
  explicit Preparation(PrepareOptions options);

  const fs::path& cache() const noexcept { return report_.cache; }

  /// Looks up what the cache has. `writer` is null in a dry run.
  void plan(cache::Writer* writer);
  void read_lines(cache::Writer& writer);
  void write_listing(cache::Writer& writer);
  void show_examples();
  PrepareReport finish();

 private:
  void take_shard();
  void announce() const;
  void join_parts(cache::Writer& writer) const;
  void summarise(const ListingWriter& listing);
  ListingInfo listing_info(const Hash128& texts) const;

  Stopwatch watch_;
  PrepareOptions options_;
  PrepareReport report_;
  dataset::Corpus corpus_;
  std::optional<cache::Cache> cache_;  // as it was before
  std::unique_ptr<text::Frontend> frontend_;
  Json description_;  // of the table of texts
  std::unique_ptr<Previous> previous_;
  TextPlan plan_;
};

Preparation::Preparation(PrepareOptions options) : options_(std::move(options)) {
  report_.cache =
      options_.cache.empty() ? default_cache(options_.corpus, options_.shard) : options_.cache;
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
  cache_ = cache::Cache::open(report_.cache);
  const cache::Cache* cache = cache_ ? &*cache_ : nullptr;
  // Every shard learns from the whole corpus, so that all learn the same.
  const auto tokenizer =
      corpus_tokenizer(options_.text, corpus_.utterances, cache, writer, options_.force);
  take_shard();
  frontend_ = std::make_unique<text::Frontend>(options_.text.frontend, tokenizer);
  description_ = frontend_->description();
  description_["record"] = kTextRecordVersion;
  previous_ = std::make_unique<Previous>(cache, description_);
  plan_ = plan_texts(corpus_.utterances, *previous_, options_.force);
  fill_durations(corpus_.utterances, *previous_, options_.threads);
  for (const dataset::Utterance& utterance : corpus_.utterances)
    report_.hours += utterance.duration_s.value_or(0) / 3600;
  report_.clips = corpus_.utterances.size();
  report_.validation_clips = static_cast<uint64_t>(std::ranges::count(
      corpus_.utterances, dataset::Split::validation, &dataset::Utterance::split));
  report_.reasons = plan_.reasons;
  report_.text_built = plan_.missing.size();
  report_.text_hits = plan_.keys.size() - plan_.missing.size();
}

void Preparation::announce() const {
  std::string reasons;
  for (const auto& [reason, count] : report_.reasons) {
    reasons += (reasons.empty() ? "" : ", ") + reason;
    if (report_.reasons.size() > 1) reasons += fmt::format(" ({})", count);
  }
  const int workers = options_.threads > 0 ? options_.threads : usable_cores();
  log::info("BUILDING CACHE: {} clips, {} workers, because: {}", plan_.missing.size(), workers,
            reasons);
}

void Preparation::read_lines(cache::Writer& writer) {
  if (plan_.missing.empty()) return;
  announce();
  const Stopwatch watch;
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress({"prepare", "lines", plan_.missing.size(), options_.progress, terminal_width()},
                    clock, sink);
  const cache::TableWriter table = writer.table("text", description_);
  try {
    report_.lines =
        read_texts(corpus_.utterances, plan_, *frontend_, table, options_.threads, progress);
  } catch (const Error& error) {
    progress.finish();
    // What is done is kept, unless the disk is what failed.
    if (error.kind() == ErrorKind::interrupted) writer.seal();
    throw;
  }
  writer.seal();
  join_parts(writer);
  report_.text_seconds = watch.seconds();
}

void Preparation::join_parts(cache::Writer& writer) const {
  const auto cache = cache::Cache::open(report_.cache);
  const auto* texts =
      cache ? cache->find_table("text", cache::fingerprint_of(description_)) : nullptr;
  if (texts != nullptr && texts->part_count() > kManyParts) cache::collect(writer, {});
}

void Preparation::write_listing(cache::Writer& writer) {
  if (corpus_.utterances.empty()) return;  // nothing was made; the faults tell why
  writer.table("text", description_);
  writer.seal();
  const auto cache = cache::Cache::open(report_.cache);
  const Hash128 fingerprint = cache::fingerprint_of(description_);
  const cache::Table* texts = cache ? cache->find_table("text", fingerprint) : nullptr;
  if (texts == nullptr) throw_error(ErrorKind::internal, "the table of texts was not sealed");
  const ListingWriter listing = list_clips(corpus_, plan_, *texts, *previous_);
  summarise(listing);
  if (previous_->is_current() && listing.equals(*previous_->listing())) return;
  listing.write(writer,
                {{"version", kListingVersion}, {"text", fingerprint.hex()}, {"audio", nullptr}},
                listing_info(fingerprint));
}

ListingInfo Preparation::listing_info(const Hash128& texts) const {
  const text::Tokenizer& tokenizer = *frontend_->tokenizer();
  ListingInfo info;
  info.text = texts.hex();
  if (tokenizer.kind() == text::TokenizerKind::sentencepiece &&
      options_.text.tokenizer_model.empty()) {
    info.vocabulary = cache::fingerprint_of(vocabulary_description(options_.text)).hex();
  }
  info.tokenizer = to_json_text(tokenizer.artefact(), -1);
  info.prepared_at = utc_now();
  info.clips = corpus_.utterances.size();
  info.hours = report_.hours;
  return info;
}

void Preparation::summarise(const ListingWriter& listing) {
  for (size_t i = 0; i < listing.rows().size(); ++i) {
    const ClipRow& row = listing.rows()[i];
    ++report_.languages[std::string(listing.string(row.language))];
    report_.unknown_symbols += row.unknown;
    if (row.symbols > 0) continue;
    const dataset::Utterance& utterance = corpus_.utterances[i];
    report_.faults.push_back(
        {utterance.id, "text_silent",
         fmt::format("{}:{}: nothing is left to speak of '{}'", utterance.source, utterance.line,
                     utterance.text.substr(0, 80))});
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

Shard parse_shard(std::string_view text) {
  Shard shard;
  const size_t slash = text.find('/');
  const auto read = [](std::string_view digits, uint32_t& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (slash == std::string_view::npos || !read(text.substr(0, slash), shard.index) ||
      !read(text.substr(slash + 1), shard.count) || shard.index >= shard.count) {
    throw_error(ErrorKind::usage,
                "--shard {}: expected i/n with i from 0 to n - 1, for example 0/4", text);
  }
  return shard;
}

fs::path default_cache(const fs::path& corpus, const std::optional<Shard>& shard) {
  fs::path folder = (fs::is_regular_file(corpus) ? corpus.parent_path() : corpus) / ".seda";
  if (!shard) return folder;
  return folder / "shards" / fmt::format("{}-of-{}", shard->index, shard->count);
}

PrepareReport prepare(const PrepareOptions& options) {
  Preparation preparation(options);
  cache::Writer writer(preparation.cache());
  preparation.plan(&writer);
  preparation.read_lines(writer);
  if (!options.shard) preparation.write_listing(writer);
  return preparation.finish();
}

PrepareReport plan_prepare(const PrepareOptions& options) {
  Preparation preparation(options);
  preparation.plan(nullptr);
  preparation.show_examples();
  return preparation.finish();
}

}  // namespace seda::feed
