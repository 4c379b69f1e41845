// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/list_clips.h"

#include <algorithm>

#include "seda/feed/clip_paths.h"
#include "seda/feed/text_record.h"
#include "seda/text/tokenizer.h"

namespace seda::feed {
namespace {

/// What a row says about the text of its clip.
struct TextFacts {
  cache::Address address;
  std::string_view language;
  uint32_t tokens = 0;
  uint32_t symbols = 0;
  uint32_t unknown = 0;
};

TextFacts read_facts(const cache::Table& texts, const cache::Key& key) {
  const auto found = texts.read(key);
  if (!found) return {};
  const auto record = decode_text_record(found.value().bytes);
  if (!record) return {};
  TextFacts facts;
  facts.address = found.value().entry.address;
  facts.language = record->language;
  facts.tokens = static_cast<uint32_t>(record->tokens.size());
  facts.symbols =
      facts.tokens - static_cast<uint32_t>(std::ranges::count(record->tokens, text::kBlankToken));
  facts.unknown = static_cast<uint32_t>(record->unknown.size());
  return facts;
}

/// What the last listing says, where the record it names is still there.
std::optional<TextFacts> known_facts(const cache::Table& texts, const Listing& listing,
                                     const ClipRow* row, const cache::Key& key) {
  if (row == nullptr || row->text_key != key || row->symbols == 0) return std::nullopt;
  const auto entry = texts.entry(row->text());
  if (!entry || entry.value().key != key) return std::nullopt;
  return TextFacts{row->text(), listing.string(row->language), row->tokens, row->symbols,
                   row->unknown};
}

TextFacts facts_of(const cache::Table& texts, const Previous& previous, const ClipRow* row,
                   const cache::Key& key) {
  // Of a listing made with other texts only the id is of use.
  if (previous.is_current()) {
    if (const auto known = known_facts(texts, *previous.listing(), row, key)) return *known;
  }
  return read_facts(texts, key);
}

void add_text(ClipRow& row, const TextFacts& facts, const cache::Key& key) {
  row.text_key = key;
  row.text_part = facts.address.part;
  row.text_index = facts.address.index;
  row.tokens = facts.tokens;
  row.symbols = facts.symbols;
  row.unknown = facts.unknown;
}

void add_sound(ClipRow& row, const SoundPlace& place, const cache::Key& key,
               const audio::MelOptions& mel) {
  row.audio_key = key;
  row.audio_part = place.address.part;
  row.audio_index = place.address.index;
  if (audio::mel_frames(mel, static_cast<int64_t>(place.samples)) == 0) return;
  row.samples = place.samples;
  row.duration_s = static_cast<double>(place.samples) / mel.sample_rate;
}

}  // namespace

ListingWriter list_clips(const ListingSources& sources) {
  const dataset::Corpus& corpus = sources.corpus;
  const ClipPaths paths(corpus.folder);
  ListingWriter listing;
  for (size_t i = 0; i < corpus.utterances.size(); ++i) {
    const dataset::Utterance& utterance = corpus.utterances[i];
    const cache::Key& text_key = sources.lines.keys[i];
    const ClipRow* before = sources.previous.find(i, utterance.id);
    const TextFacts facts = facts_of(sources.texts, sources.previous, before, text_key);
    ClipRow row;
    add_text(row, facts, text_key);
    add_sound(row, sources.sounds.places[i], sources.sounds.keys[i], sources.mel);
    row.file_bytes = utterance.audio_bytes;
    row.file_time_ns = utterance.audio_time_ns;
    row.id = listing.add_string(utterance.id);
    row.path = listing.add_string(paths(utterance.audio));
    row.speaker = listing.share_string(utterance.speaker);
    row.language = listing.share_string(facts.language);
    row.split = static_cast<uint32_t>(utterance.split);
    listing.add(row);
  }
  return listing;
}

}  // namespace seda::feed
