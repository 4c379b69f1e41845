// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/json.h"
#include "seda/cache/cache.h"
#include "seda/cache/writer.h"
#include "seda/dataset/utterance.h"

namespace seda::feed {

/// One clip of a prepared corpus: whose text and sound, where both lie in the cache, how long they
/// are. Strings are offsets into the listing's own.
struct ClipRow {
  cache::Key text_key;
  cache::Key audio_key;    ///< Zero where no sound was prepared.
  uint64_t text_part = 0;  ///< With `text_index`, where the text lies.
  uint64_t audio_part = 0;
  uint64_t file_bytes = 0;  ///< Identity of the audio file, with the next.
  int64_t file_time_ns = 0;
  uint64_t samples = 0;   ///< Of the prepared sound; 0 where there is none to use.
  double duration_s = 0;  ///< Of the prepared sound.
  uint32_t text_index = 0;
  uint32_t audio_index = 0;
  uint32_t id = 0;        ///< String.
  uint32_t path = 0;      ///< String: audio file, relative to the corpus where below it.
  uint32_t speaker = 0;   ///< String.
  uint32_t language = 0;  ///< String.
  uint32_t tokens = 0;    ///< Blanks counted.
  uint32_t symbols = 0;   ///< Blanks not counted; 0: nothing to speak.
  uint32_t unknown = 0;   ///< Symbols the tokenizer has not.
  uint32_t split = 0;     ///< dataset::Split.
  uint64_t reserved = 0;  ///< Zero.

  /// Whether there is something to speak and the sound of it. Others are listed so that their
  /// records stay known; nobody may train on them.
  bool is_usable() const { return symbols > 0 && samples > 0; }

  cache::Address text() const { return {text_part, text_index}; }
  cache::Address audio() const { return {audio_part, audio_index}; }
};

/// What a listing says of the whole.
struct ListingInfo {
  std::string text;         ///< Fingerprint of the table of texts, hexadecimal.
  std::string audio;        ///< Likewise; empty where no sound was prepared.
  std::string vocabulary;   ///< Likewise, of the learned vocabulary; empty where none was.
  std::string tokenizer;    ///< The artefact, as JSON text.
  std::string mel;          ///< The mel definition, as JSON text; of samples, the one to make.
  std::string prepared_at;  ///< UTC.
  uint64_t run = 0;         ///< Tells apart what was prepared in one second: higher is later.
  uint64_t clips = 0;       ///< Rows.
  uint64_t usable = 0;      ///< Rows of them that can be trained on,
  double hours = 0;         ///< and how long these are.
};

/// Whether `a` was prepared after `b`, or they are the same.
bool is_later(const ListingInfo& a, const ListingInfo& b);

class Listing;

/// Collects the clips of a corpus and writes them as the table "clips".
class ListingWriter {
 public:
  /// Keeps a string; returns what a row calls it by. More than 4 GiB of them is an Error(io).
  uint32_t add_string(std::string_view text);
  /// The same for strings that many rows share, each kept once.
  uint32_t share_string(std::string_view text);

  void add(const ClipRow& row) { rows_.push_back(row); }

  std::span<const ClipRow> rows() const noexcept { return rows_; }
  /// The string a row names.
  std::string_view string(uint32_t offset) const noexcept;

  /// Whether `listing` holds just this.
  bool equals(const Listing& listing) const;

  /// Makes this the listing of the corpus under `description`.
  void write(cache::Writer& writer, const Json& description, const ListingInfo& info) const;

 private:
  std::vector<ClipRow> rows_;
  std::string strings_;  // each after its length, as four bytes
  std::map<std::string, uint32_t, std::less<>> shared_;
};

/// The clips of a prepared corpus, read from the cache without copying: opening touches nothing
/// but the info. Lives as long as the cache it was read from. Thread-safe.
class Listing {
 public:
  /// Nothing where the table is not one, or its bytes do not fit together.
  static std::optional<Listing> read(const cache::Table& table);

  /// The listing prepared last, of any description.
  static std::optional<Listing> latest(const cache::Cache& cache);

  const ListingInfo& info() const noexcept { return info_; }
  /// Of the table it was read from.
  const Hash128& fingerprint() const noexcept { return fingerprint_; }
  std::span<const ClipRow> rows() const noexcept { return rows_; }

  /// Every string, as it lies in the cache.
  std::string_view strings() const noexcept { return strings_; }

  /// The string a row names; empty where the number is out of bounds.
  std::string_view string(uint32_t offset) const noexcept;

 private:
  ListingInfo info_;
  Hash128 fingerprint_;
  std::span<const ClipRow> rows_;
  std::string_view strings_;
  // Where the cache is not mapped, the bytes are these.
  std::vector<std::byte> owned_rows_;
  std::vector<std::byte> owned_strings_;
};

/// Writes `listing` and makes it the one prepared last, unless `cache`, which is the writer's
/// folder before, says just that already. `info.run` is set here. `cache` may be null.
void store_listing(cache::Writer& writer, const cache::Cache* cache, const ListingWriter& listing,
                   const Json& description, ListingInfo info);

/// The table of that name and fingerprint, as a listing names it; nullptr where there is none.
const cache::Table* find_listed(const cache::Cache& cache, std::string_view name,
                                std::string_view fingerprint);

constexpr std::string_view kListingTable = "clips";
/// Version of the layout; part of the table's description.
constexpr int kListingVersion = 2;

}  // namespace seda::feed
