// SPDX-License-Identifier: Apache-2.0
//
// What the cache costs: opening, looking up, appending, verifying.
//
//   cache_bench --make-cache FOLDER RECORDS [BYTES]   makes a cache to look at by hand
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/support/resident.h"
#include "bench/support/scratch_folder.h"
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/random.h"
#include "seda/cache/cache.h"
#include "seda/cache/description.h"
#include "seda/cache/verify.h"
#include "seda/cache/writer.h"

namespace {

using namespace seda;
using namespace seda::cache;
namespace fs = std::filesystem;

const Json kDescription = {{"made_by", "cache_bench"}};

Key key_of(uint64_t number) {
  return hash128(std::as_bytes(std::span(&number, 1)));
}

/// `records` records of `bytes` each, in about `parts` parts.
void make_cache(const fs::path& folder, uint64_t records, uint64_t bytes, uint64_t parts) {
  Writer writer(folder, {.part_bytes = uint64_t{1} << 50, .seal_seconds = 1e9});
  TableWriter table = writer.table("bench", kDescription);
  std::vector<std::byte> content(bytes);
  Random random(1);
  for (uint64_t i = 0; i < records; ++i) {
    const uint64_t word = random();
    std::memcpy(content.data(), &word, std::min<uint64_t>(sizeof(word), bytes));
    table.append(key_of(i), {.bytes = content, .dims = {}, .type = DataType::raw});
    if ((i + 1) % (records / parts) == 0) writer.seal();
  }
  writer.seal();
}

/// Goes with the process.
const fs::path& scratch() {
  static const bench::ScratchFolder folder;
  return folder.path();
}

/// Made once, by a child, so that this process' memory is a reader's.
fs::path cache_of(uint64_t records, uint64_t bytes, uint64_t parts) {
  const fs::path folder = scratch() / fmt::format("{}-{}-{}", records, bytes, parts);
  if (fs::exists(folder)) return folder;
  const pid_t child = fork();
  if (child == 0) {
    make_cache(folder, records, bytes, parts);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) throw_error(ErrorKind::internal, "the cache could not be made");
  return folder;
}

const Table& table_of(const Cache& cache) {
  return *cache.find_table("bench", fingerprint_of(kDescription));
}

/// What is there, or the end of the run.
template <typename T>
T need(std::optional<T> found) {
  if (!found) std::abort();
  return std::move(*found);
}

void cache_open(benchmark::State& state) {
  const fs::path folder =
      cache_of(static_cast<uint64_t>(state.range(0)), 64, static_cast<uint64_t>(state.range(1)));
  double resident = 0;
  for ([[maybe_unused]] auto _ : state) {
    const Cache cache = need(Cache::open(folder));
    benchmark::DoNotOptimize(table_of(cache).size());
    state.PauseTiming();
    resident = bench::resident_mb();
    state.ResumeTiming();
  }
  state.counters["rss_MB"] = resident;
}
BENCHMARK(cache_open)
    ->ArgNames({"records", "parts"})
    ->Args({13'100, 1})
    ->Args({13'100, 50})
    ->Args({1'000'000, 1})
    ->Args({1'000'000, 100})
    ->Unit(benchmark::kMillisecond);

std::vector<Key> random_keys(uint64_t records) {
  Random random(7);
  std::vector<Key> keys(1 << 16);
  for (Key& key : keys)
    key = key_of(random.below(records));
  return keys;
}

void cache_find(benchmark::State& state) {
  const auto records = static_cast<uint64_t>(state.range(0));
  const Cache cache = need(Cache::open(cache_of(records, 64, 1)));
  const Table& table = table_of(cache);
  const auto keys = random_keys(records);
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(table.find(keys[i++ % keys.size()]));
}
BENCHMARK(cache_find)->ArgName("records")->Arg(13'100)->Arg(1'000'000);

void cache_read_by_address(benchmark::State& state) {
  const auto records = static_cast<uint64_t>(state.range(0));
  const Cache cache = need(Cache::open(cache_of(records, 64, 1)));
  const Table& table = table_of(cache);
  std::vector<Address> addresses;
  for (const Key& key : random_keys(records))
    addresses.push_back(need(table.find(key)).address);
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(table.read(addresses[i++ % addresses.size()]));
}
BENCHMARK(cache_read_by_address)->ArgName("records")->Arg(13'100)->Arg(1'000'000);

std::unique_ptr<Writer> shared_writer;

void cache_append(benchmark::State& state) {
  const auto bytes = static_cast<size_t>(state.range(0));
  const fs::path folder = scratch() / "append";
  if (state.thread_index() == 0) shared_writer = std::make_unique<Writer>(folder);
  const std::vector<std::byte> content(bytes, std::byte{7});
  uint64_t number = static_cast<uint64_t>(state.thread_index()) << 32;
  for ([[maybe_unused]] auto _ : state) {
    shared_writer->table("bench", kDescription)
        .append(key_of(number++), {.bytes = content, .dims = {}, .type = DataType::raw});
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
  if (state.thread_index() != 0) return;
  shared_writer.reset();
  fs::remove_all(folder);
}
BENCHMARK(cache_append)
    ->ArgName("bytes")
    ->Arg(256 << 10)
    ->Iterations(1024)
    ->Threads(1)
    ->Threads(4)
    ->UseRealTime();
BENCHMARK(cache_append)->ArgName("bytes")->Arg(512)->Iterations(100'000)->UseRealTime();

void cache_verify(benchmark::State& state) {
  const fs::path folder = cache_of(1024, 256 << 10, 2);
  uint64_t bytes = 0;
  for ([[maybe_unused]] auto _ : state)
    bytes += need(verify(folder, {.threads = static_cast<int>(state.range(0))})).bytes;
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}
BENCHMARK(cache_verify)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(0)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

int make_by_hand(int count, char** arguments) {
  if (count < 4) {
    std::fprintf(stderr, "usage: %s --make-cache FOLDER RECORDS [BYTES]\n", arguments[0]);
    return 2;
  }
  make_cache(arguments[2], std::stoull(arguments[3]),
             count > 4 ? std::stoull(arguments[4]) : uint64_t{64}, 1);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::string_view(arguments[1]) == "--make-cache")
    return make_by_hand(count, arguments);
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
