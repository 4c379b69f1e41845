// SPDX-License-Identifier: Apache-2.0
// The end of a run: what cannot be used, the listing, the report.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/cache/description.h"
#include "seda/feed/list_clips.h"
#include "seda/feed/preparation.h"
#include "seda/feed/silent_text.h"
#include "seda/feed/sound_faults.h"
#include "seda/feed/tokenizer_store.h"

namespace seda::feed {
namespace {

constexpr size_t kExamples = 5;

}  // namespace

void Preparation::list(cache::Writer& writer) {
  if (options_.shard) return judge();
  if (corpus_.utterances.empty()) return;  // nothing was made; the faults tell why
  const ListingWriter listing = make_listing();
  judge_lines(listing);
  judge();
  const Json description = listing_description();
  store_listing(writer, before_ ? &*before_ : nullptr, listing, description, listing_info());
  report_.listing = cache::fingerprint_of(description);
}

ListingWriter Preparation::make_listing() const {
  const cache::Table* texts = table(kText, text_description_);
  if (texts == nullptr) throw_error(ErrorKind::internal, "the table of texts was not sealed");
  return list_clips({corpus_, lines_, *texts, *previous_texts_, files_, options_.audio.mel});
}

void Preparation::find_listing() {
  const bool complete = lines_.missing.empty() && files_.missing.empty();
  if (!before_ || !complete || options_.shard || corpus_.utterances.empty()) return;
  const Hash128 fingerprint = cache::fingerprint_of(listing_description());
  const cache::Table* table = before_->find_table(kListingTable, fingerprint);
  const auto listing = table != nullptr ? Listing::read(*table) : std::nullopt;
  if (listing && make_listing().equals(*listing)) report_.listing = fingerprint;
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
    report_.faults.push_back(silent_text(corpus_.utterances[i]));
  }
}

void Preparation::judge(bool all_read) {
  bad_.resize(corpus_.utterances.size());
  const SoundEvidence evidence{
      corpus_, files_, table(kAudio, audio_description_), report_.sounds.unread, options_.audio.mel,
      all_read};
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

}  // namespace seda::feed
