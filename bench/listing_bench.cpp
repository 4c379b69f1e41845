// SPDX-License-Identifier: Apache-2.0
// Row 3 of bench/README.md, beside Hugging Face datasets as they were published.
//
// A second start: opening a prepared corpus of 13,100 and of 1,000,000 clips, texts and listing, up
// to the first clip's tokens; and the memory a process holds after it.
//
//   listing_bench     prints one JSON object
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "bench/support/report_row.h"
#include "bench/support/resident.h"
#include "bench/support/scratch_folder.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/clock.h"
#include "seda/cache/description.h"
#include "seda/feed/listing.h"
#include "seda/feed/text_record.h"

namespace seda {
namespace {

namespace fs = std::filesystem;

constexpr int kRuns = 51;

/// A cache like that of a corpus: one record of 60 tokens and one row for each clip.
void make_cache(const fs::path& folder, uint32_t clips) {
  const Json description = {{"bench", clips}};
  text::Line line;
  line.normalized = "forty letters of text stand in this line";
  line.encoded.tokens.assign(121, 7);
  cache::Writer writer(folder);
  cache::TableWriter texts = writer.table("text", description);
  feed::ListingWriter listing;
  const std::string record = feed::encode_text_record(line);
  for (uint32_t i = 0; i < clips; ++i) {
    feed::ClipRow row;
    row.text_key = hash128(fmt::format("clip {}", i));
    row.id = listing.add_string(fmt::format("clip-{:07}", i));
    row.path = listing.add_string(fmt::format("wavs/clip-{:07}.wav", i));
    row.tokens = 121;
    row.symbols = 60;
    listing.add(row);
    texts.append(row.text_key, {std::as_bytes(std::span(record)), {}, cache::DataType::raw});
  }
  feed::ListingInfo info;
  info.text = cache::fingerprint_of(description).hex();
  info.prepared_at = utc_now();
  info.clips = clips;
  listing.write(writer, {{"text", info.text}}, info);
}

/// Opens, and reads the tokens of the clip in the middle.
size_t start(const fs::path& folder) {
  const auto cache = cache::Cache::open(folder);
  const auto listing = cache ? feed::Listing::latest(*cache) : std::nullopt;
  if (!listing) std::abort();
  const feed::ClipRow& row = listing->rows()[listing->rows().size() / 2];
  for (const cache::Table* table : cache->tables()) {
    if (table->name() != "text") continue;
    const auto record = table->read(row.text_key);
    const auto text = record ? feed::decode_text_record(record.value().bytes) : std::nullopt;
    if (text) return text->tokens.size();
  }
  std::abort();
}

Json open_row(const fs::path& folder, uint32_t clips) {
  Distribution ms;
  for (int i = 0; i < kRuns; ++i) {
    const Stopwatch watch;
    start(folder);
    ms.add(watch.seconds() * 1e3);
  }
  return bench::make_row(fmt::format("second_start/clips:{}", clips), "ms", ms);
}

/// In a process of its own, so that nothing else counts.
Json memory_row(const fs::path& folder, uint32_t clips) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    const auto cache = cache::Cache::open(folder);
    const auto listing = cache ? feed::Listing::latest(*cache) : std::nullopt;
    const double resident = listing ? bench::resident_mb() : -1;
    _exit(write(pipe_ends[1], &resident, sizeof resident) == sizeof resident ? 0 : 1);
  }
  double resident = 0;
  if (read(pipe_ends[0], &resident, sizeof resident) != sizeof resident) std::abort();
  waitpid(child, nullptr, 0);
  return bench::make_row(fmt::format("second_start_memory/clips:{}", clips), "MB", resident);
}

}  // namespace
}  // namespace seda

int main() {
  using namespace seda;
  const bench::ScratchFolder folder;
  Json rows = Json::array();
  for (const uint32_t clips : {13'100u, 1'000'000u}) {
    const fs::path cache = folder.path() / std::to_string(clips);
    // Made in a process of its own, whose memory is then gone.
    const pid_t child = fork();
    if (child == 0) {
      make_cache(cache, clips);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    rows.push_back(memory_row(cache, clips));
    rows.push_back(open_row(cache, clips));
  }
  std::cout << to_json_text({{"rows", rows}}) << "\n";
}
