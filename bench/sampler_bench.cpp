// SPDX-License-Identifier: Apache-2.0
// Rows 11 and 18 of bench/README.md, beside one shape for all and batches padded to their longest.
//
// What batches of clips as long as LJSpeech's pad, and what it takes to choose their shapes and to
// plan an epoch.
//
// Lengths: where SEDA_SHARED_DATA names a folder with ljspeech_transcripts.csv, those of its texts
// at LJSpeech's 15.2 characters a second, give or take 12 %; else drawn from a log-normal of mean
// 6.6 s and deviation 2.2 s. Both from 1.1 to 10.1 s. Counters are shares in percent.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "bench/support/resident.h"
#include <benchmark/benchmark.h>

#include "seda/base/random.h"
#include "seda/feed/padding.h"
#include "seda/feed/sampler.h"

namespace seda::feed {
namespace {

using bench::resident_mb;

constexpr double kCharactersPerSecond = 15.2;
constexpr double kMeanSeconds = 6.6;
constexpr double kDeviationSeconds = 2.2;

double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

double log_normal_seconds(Random& random) {
  const double ratio = kDeviationSeconds / kMeanSeconds;
  const double variance = std::log(1 + ratio * ratio);
  return std::exp(std::log(kMeanSeconds) - variance / 2 + std::sqrt(variance) * normal(random));
}

/// Characters of each text of LJSpeech; none where it is not there.
std::vector<double> text_lengths() {
  std::vector<double> out;
  const char* folder = std::getenv("SEDA_SHARED_DATA");
  if (folder == nullptr) return out;
  std::ifstream file(std::filesystem::path(folder) / "ljspeech_transcripts.csv");
  for (std::string line; std::getline(file, line);)
    out.push_back(static_cast<double>(line.size() - std::min(line.find('|') + 1, line.size())));
  return out;
}

ClipRow row_of(double seconds, double characters) {
  ClipRow row;
  row.samples = static_cast<uint64_t>(std::clamp(seconds, 1.1, 10.1) * 22050);
  row.symbols = static_cast<uint32_t>(std::max(characters, 1.0));
  row.tokens = 2 * row.symbols + 1;
  return row;
}

std::vector<ClipRow> make_rows(size_t clips) {
  Random random(1);
  const std::vector<double> texts = text_lengths();
  std::vector<ClipRow> rows;
  for (size_t i = 0; i < clips; ++i) {
    const double pace = kCharactersPerSecond * (1 + 0.12 * normal(random));
    const double seconds =
        texts.empty() ? log_normal_seconds(random) : texts[i % texts.size()] / pace;
    rows.push_back(row_of(seconds, texts.empty() ? seconds * pace : texts[i % texts.size()]));
  }
  return rows;
}

ClipLengths lengths_of(const std::vector<ClipRow>& rows) {
  return clip_lengths(rows, dataset::Split::train, {}, {});
}

/// Padding of an epoch as it is fed, repeats counted as padding.
double fed_padding(const Sampler& sampler, const std::vector<ClipLength>& lengths) {
  double real = 0;
  double all = 0;
  for (const ClipLength& length : lengths)
    real += length.frames;
  for (const GlobalBatch& batch : sampler.plan().batches)
    all += static_cast<double>(batch.size) * sampler.buckets()[batch.bucket].frames;
  return 1 - real / all;
}

void find_lengths(benchmark::State& state) {
  const auto rows = make_rows(static_cast<size_t>(state.range(0)));
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(lengths_of(rows));
}
BENCHMARK(find_lengths)->ArgName("clips")->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void choose(benchmark::State& state) {
  const auto found = lengths_of(make_rows(static_cast<size_t>(state.range(0))));
  BucketOptions options;
  options.num_buckets = static_cast<int>(state.range(1));
  std::vector<Bucket> buckets;
  for ([[maybe_unused]] auto _ : state)
    buckets = choose_buckets(found.clips, options);
  const PaddingReport report = report_padding(found.clips, buckets, options);
  const Sampler sampler(found.clips, buckets, {});
  state.counters["buckets"] = static_cast<double>(buckets.size());
  state.counters["skipped"] =
      100.0 * static_cast<double>(found.report.skipped_mel + found.report.skipped_text) /
      static_cast<double>(state.range(0));
  state.counters["frames_one_shape"] = 100 * report.one_shape.frames;
  state.counters["frames_by_batch"] = 100 * report.by_batch.frames;
  state.counters["frames_buckets"] = 100 * report.buckets.frames;
  state.counters["frames_fed"] = 100 * fed_padding(sampler, found.clips);
  state.counters["tokens_one_shape"] = 100 * report.one_shape.tokens;
  state.counters["tokens_by_batch"] = 100 * report.by_batch.tokens;
  state.counters["tokens_buckets"] = 100 * report.buckets.tokens;
}
BENCHMARK(choose)
    ->Name("choose_buckets")
    ->ArgNames({"clips", "buckets"})
    ->ArgsProduct({{13'100}, {0, 4, 8, 16, 20, 24}})
    ->Args({1'000'000, 0})
    ->Args({1'000'000, 64})
    ->Unit(benchmark::kMillisecond);

void plan(benchmark::State& state) {
  const auto found = lengths_of(make_rows(static_cast<size_t>(state.range(0))));
  const auto buckets = choose_buckets(found.clips, {});
  const ClipGroups groups(found.clips, buckets);
  uint64_t epoch = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(plan_epoch(groups, buckets, {}, ++epoch));
}
BENCHMARK(plan)
    ->Name("plan_epoch")
    ->ArgName("clips")
    ->Arg(13'100)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond);

/// A start: groups the clips, plans the first epoch, then goes to the middle of another. Counters:
/// memory of the clips' lengths, and of a sampler with the plan of an epoch, in MB.
void resume(benchmark::State& state) {
  const auto rows = make_rows(static_cast<size_t>(state.range(0)));
  const double before_mb = resident_mb();
  const auto found = lengths_of(rows);
  const double with_lengths_mb = resident_mb();
  const auto buckets = choose_buckets(found.clips, {});
  {
    const double chosen_mb = resident_mb();
    const Sampler sampler(found.clips, buckets, {});
    state.counters["sampler_mb"] = resident_mb() - chosen_mb;
  }
  state.counters["lengths_mb"] = with_lengths_mb - before_mb;
  for ([[maybe_unused]] auto _ : state) {
    Sampler sampler(found.clips, buckets, {});
    sampler.seek({7, sampler.batches_per_epoch() / 2});
    benchmark::DoNotOptimize(sampler.next());
  }
}
BENCHMARK(resume)->ArgName("clips")->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void take_batch(benchmark::State& state) {
  const auto found = lengths_of(make_rows(13'100));
  Sampler sampler(found.clips, choose_buckets(found.clips, {}), {});
  for ([[maybe_unused]] auto _ : state) {
    if (!sampler.next()) sampler.seek({});
  }
}
BENCHMARK(take_batch);

}  // namespace
}  // namespace seda::feed
