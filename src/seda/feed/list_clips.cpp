// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/list_clips.h"

#include <algorithm>

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

/// The path below the corpus, so that the folder may be moved; others as they are.
std::string path_in(const std::filesystem::path& folder, const std::filesystem::path& audio) {
  std::string prefix = folder.string();
  if (!prefix.ends_with('/')) prefix += '/';
  const std::string path = audio.string();
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

}  // namespace

ListingWriter list_clips(const dataset::Corpus& corpus, const TextPlan& plan,
                         const cache::Table& texts, const Previous& previous) {
  ListingWriter listing;
  for (size_t i = 0; i < corpus.utterances.size(); ++i) {
    const dataset::Utterance& utterance = corpus.utterances[i];
    const ClipRow* before = previous.find(i, utterance.id);
    const TextFacts facts = facts_of(texts, previous, before, plan.keys[i]);
    ClipRow row;
    row.text_key = plan.keys[i];
    row.text_part = facts.address.part;
    row.text_index = facts.address.index;
    row.file_bytes = utterance.audio_bytes;
    row.file_time_ns = utterance.audio_time_ns;
    row.duration_s = utterance.duration_s.value_or(0);
    row.id = listing.add_string(utterance.id);
    row.path = listing.add_string(path_in(corpus.folder, utterance.audio));
    row.speaker = listing.share_string(utterance.speaker);
    row.language = listing.share_string(facts.language);
    row.tokens = facts.tokens;
    row.symbols = facts.symbols;
    row.unknown = facts.unknown;
    row.split = static_cast<uint32_t>(utterance.split);
    listing.add(row);
  }
  return listing;
}

}  // namespace seda::feed
