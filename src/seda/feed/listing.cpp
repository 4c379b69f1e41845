// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/listing.h"

#include <cstddef>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_object.h"
#include "seda/cache/description.h"

namespace seda::feed {
namespace {

static_assert(sizeof(ClipRow) == 128 && std::is_trivially_copyable_v<ClipRow> &&
                  offsetof(ClipRow, reserved) == 120,
              "the layout is that of docs/cache_format.md, without padding");

const cache::Key kInfo = hash128("info");
const cache::Key kRows = hash128("rows");
const cache::Key kStrings = hash128("strings");

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

Json to_json(const ListingInfo& info) {
  return {{"text", info.text},
          {"audio", info.audio},
          {"vocabulary", info.vocabulary},
          {"tokenizer", info.tokenizer},
          {"mel", info.mel},
          {"prepared_at", info.prepared_at},
          {"run", info.run},
          {"clips", info.clips},
          {"usable", info.usable},
          {"hours", info.hours}};
}

std::optional<ListingInfo> parse_info(std::span<const std::byte> bytes) {
  try {
    const Json content =
        parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "info");
    const JsonObject info(content, "info");
    return ListingInfo{.text = info.get<std::string>("text"),
                       .audio = info.get<std::string>("audio"),
                       .vocabulary = info.get<std::string>("vocabulary"),
                       .tokenizer = info.get<std::string>("tokenizer"),
                       .mel = info.get<std::string>("mel"),
                       .prepared_at = info.get<std::string>("prepared_at"),
                       .run = info.get<uint64_t>("run"),
                       .clips = info.get<uint64_t>("clips"),
                       .usable = info.get<uint64_t>("usable"),
                       .hours = info.get<double>("hours")};
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The string that begins at `offset`; empty where that is out of bounds.
std::string_view string_at(std::string_view strings, uint32_t offset) {
  uint32_t size = 0;
  if (strings.size() < sizeof size || offset > strings.size() - sizeof size) return {};
  std::memcpy(&size, strings.data() + offset, sizeof size);
  const size_t begin = offset + sizeof size;
  return size <= strings.size() - begin ? strings.substr(begin, size) : std::string_view{};
}

}  // namespace

bool is_later(const ListingInfo& a, const ListingInfo& b) {
  return std::tie(a.prepared_at, a.run) >= std::tie(b.prepared_at, b.run);
}

uint32_t ListingWriter::add_string(std::string_view text) {
  const size_t offset = strings_.size();
  if (offset + text.size() + sizeof(uint32_t) > std::numeric_limits<uint32_t>::max()) {
    throw_error(ErrorKind::io,
                "the names of the corpus' clips take more than 4 GiB; split the corpus in two");
  }
  const auto size = static_cast<uint32_t>(text.size());
  strings_.append(reinterpret_cast<const char*>(&size), sizeof size);
  strings_ += text;
  return static_cast<uint32_t>(offset);
}

uint32_t ListingWriter::share_string(std::string_view text) {
  const auto found = shared_.find(text);
  if (found != shared_.end()) return found->second;
  return shared_.emplace(text, add_string(text)).first->second;
}

std::string_view ListingWriter::string(uint32_t offset) const noexcept {
  return string_at(strings_, offset);
}

bool ListingWriter::equals(const Listing& listing) const {
  const auto mine = std::as_bytes(std::span(rows_));
  const auto other = std::as_bytes(listing.rows());
  return strings_ == listing.strings() && mine.size() == other.size() &&
         std::memcmp(mine.data(), other.data(), mine.size()) == 0;
}

void ListingWriter::write(cache::Writer& writer, const Json& description,
                          const ListingInfo& info) const {
  const std::string text = to_json_text(to_json(info), -1);
  const cache::NewRecord records[] = {
      {kInfo, {bytes_of(text), {}, cache::DataType::raw}},
      {kRows, {std::as_bytes(std::span(rows_)), {}, cache::DataType::raw}},
      {kStrings, {bytes_of(strings_), {}, cache::DataType::raw}},
  };
  writer.replace(kListingTable, description, records);
}

std::optional<Listing> Listing::read(const cache::Table& table) {
  auto info = table.read(kInfo);
  auto rows = table.read(kRows);
  auto strings = table.read(kStrings);
  if (!info || !rows || !strings) return std::nullopt;
  auto parsed = parse_info(info.value().bytes);
  if (!parsed || rows.value().bytes.size() != parsed->clips * sizeof(ClipRow)) return std::nullopt;
  Listing listing;
  listing.info_ = std::move(*parsed);
  listing.fingerprint_ = table.fingerprint();
  listing.rows_ = rows.value().as<ClipRow>();
  const auto text = strings.value().bytes;
  listing.strings_ = {reinterpret_cast<const char*>(text.data()), text.size()};
  listing.owned_rows_ = std::move(rows.value().owned);
  listing.owned_strings_ = std::move(strings.value().owned);
  return listing;
}

std::optional<Listing> Listing::latest(const cache::Cache& cache) {
  std::optional<Listing> best;
  for (const cache::Table* table : cache.tables()) {
    if (table->name() != kListingTable) continue;
    auto listing = read(*table);
    if (!listing) continue;
    if (!best || is_later(listing->info(), best->info())) best = std::move(listing);
  }
  return best;
}

void store_listing(cache::Writer& writer, const cache::Cache* cache, const ListingWriter& listing,
                   const Json& description, ListingInfo info) {
  const auto latest = cache != nullptr ? Listing::latest(*cache) : std::nullopt;
  if (latest && latest->fingerprint() == cache::fingerprint_of(description) &&
      listing.equals(*latest)) {
    return;
  }
  info.run = latest ? latest->info().run + 1 : 0;
  listing.write(writer, description, info);
}

const cache::Table* find_listed(const cache::Cache& cache, std::string_view name,
                                std::string_view fingerprint) {
  for (const cache::Table* table : cache.tables()) {
    if (table->name() == name && table->fingerprint().hex() == fingerprint) return table;
  }
  return nullptr;
}

std::string_view Listing::string(uint32_t offset) const noexcept {
  return string_at(strings_, offset);
}

}  // namespace seda::feed
