// SPDX-License-Identifier: Apache-2.0
// A second start: opening a prepared corpus of 13,100 and of 1,000,000 clips, texts and listing, up
// to the first clip's tokens; and the memory a process holds after it.
//
//   listing_bench     prints one JSON object
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "bench/resident.h"
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
  std::vector<double> times;
  times.reserve(kRuns);
  for (int i = 0; i < kRuns; ++i) {
    const Stopwatch watch;
    start(folder);
    times.push_back(watch.seconds() * 1e3);
  }
  std::ranges::sort(times);
  return {{"name", fmt::format("second_start/clips:{}", clips)},
          {"unit", "ms"},
          {"median", times[kRuns / 2]},
          {"p90", times[kRuns * 9 / 10]},
          {"runs", kRuns}};
}

/// In a process of its own, so that nothing else counts.
Json memory_row(const fs::path& folder, uint32_t clips) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    const auto cache = cache::Cache::open(folder);
    const auto listing = cache ? feed::Listing::latest(*cache) : std::nullopt;
    const double resident = listing ? resident_mb() : -1;
    _exit(write(pipe_ends[1], &resident, sizeof resident) == sizeof resident ? 0 : 1);
  }
  double resident = 0;
  if (read(pipe_ends[0], &resident, sizeof resident) != sizeof resident) std::abort();
  waitpid(child, nullptr, 0);
  return {{"name", fmt::format("second_start_memory/clips:{}", clips)},
          {"unit", "MB"},
          {"median", resident},
          {"p90", resident},
          {"runs", 1}};
}

}  // namespace
}  // namespace seda

int main() {
  using namespace seda;
  std::string pattern = (fs::temp_directory_path() / "seda-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return 1;
  const fs::path folder = pattern;
  Json rows = Json::array();
  for (const uint32_t clips : {13'100u, 1'000'000u}) {
    const fs::path cache = folder / std::to_string(clips);
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
  fs::remove_all(folder);
  std::cout << to_json_text({{"rows", rows}}) << "\n";
}
