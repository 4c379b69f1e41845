// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/open_clips.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/file_lock.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"
#include "seda/cache/writer.h"
#include "seda/feed/cache_source.h"
#include "seda/feed/default_cache.h"
#include "seda/feed/fault_log.h"
#include "seda/feed/file_source.h"
#include "seda/feed/preparation.h"

namespace seda::feed {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr int kMostTurns = 100;

/// The report of a cache that can be used, and whether it could be written.
struct Prepared {
  std::optional<PrepareReport> report;
  std::string problem;  ///< Why it could not be written; empty where it could.
};

bool is_of_lock(const Error& error) {
  return dynamic_cast<const LockHeld*>(&error) != nullptr;
}

/// Whether the cache, not the corpus, is what `error` may be about.
bool is_of_storage(const Error& error) {
  return error.kind() == ErrorKind::io || is_of_lock(error);
}

/// What is in a cache that cannot be written because of `problem`, where it is current. Throws
/// where the problem is met without writing too: it is then another one.
std::optional<PrepareReport> look_up(const PrepareOptions& options, const std::string& problem) {
  try {
    auto report = plan_prepare(options);
    return report.listing ? std::optional(std::move(report)) : std::nullopt;
  } catch (const Error& error) {
    if (!is_of_storage(error) || error.what() == problem) throw;
    return std::nullopt;  // it cannot be read either
  }
}

/// Until nobody writes the cache, which comes: a lock goes with its process.
void wait_for_writer(const std::filesystem::path& cache) {
  bool said = false;
  while (const auto writer = cache::writer_of(cache)) {
    throw_if_interrupted();
    if (!std::exchange(said, true)) {
      log::info("waiting for {}, which prepares {}", describe(*writer), cache.string());
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
  std::this_thread::sleep_for(kBetweenLooks);  // those who begin have not signed their lock yet
}

Prepared prepare_if_possible(const PrepareOptions& options, bool waits) {
  for (int turn = 1;; ++turn) {
    Preparation preparation(options);  // what is wrong with the corpus ends the call
    try {
      return {prepare(preparation), ""};
    } catch (const Error& error) {
      if (!is_of_storage(error)) throw;
      auto found = look_up(options, error.what());
      if (!waits || !is_of_lock(error) || turn == kMostTurns) {
        return {std::move(found), error.what()};
      }
      if (found) return {std::move(found), ""};
    }
    wait_for_writer(preparation.cache());
  }
}

void warn(const Prepared& prepared, const OpenOptions& options) {
  if (prepared.problem.empty() || !options.announce) return;
  const auto& corpus = options.prepare;
  const auto folder = corpus.cache.empty() ? default_cache(corpus.corpus) : corpus.cache;
  log::warning("cannot write the cache {}: {}; {}", folder.string(), prepared.problem,
               prepared.report ? "what is in it is current and is used"
                               : "going on without, from raw files");
}

OpenedClips open_files(const OpenOptions& options) {
  auto source = std::make_shared<FileSource>(options.prepare);
  OpenedClips opened;
  opened.faults = source->faults();
  opened.cache_state = "none";
  opened.source = std::move(source);
  return opened;
}

OpenedClips open_cache(PrepareReport report, const OpenOptions& options) {
  if (!report.listing) {
    throw_error(ErrorKind::check_failed,
                "{}: expected clips, found none that can be used; run `seda prepare` and read why",
                options.prepare.corpus.string());
  }
  OpenedClips opened;
  opened.source = std::make_shared<CacheSource>(
      report.cache, *report.listing,
      cache::OpenOptions{.memory_mapping = options.memory_mapping, .verify = options.verify});
  opened.cache_state = report.built() ? "built" : "loaded";
  opened.reasons = std::move(report.reasons);
  opened.clips_built = report.clips_built;
  opened.faults = std::move(report.faults);
  return opened;
}

}  // namespace

OpenedClips open_clips(const OpenOptions& options) {
  const Stopwatch watch;
  const Prepared prepared =
      options.use_cache ? prepare_if_possible(options.prepare, options.waits) : Prepared{};
  warn(prepared, options);
  OpenedClips opened =
      prepared.report ? open_cache(*prepared.report, options) : open_files(options);
  opened.corpus = options.prepare;
  opened.seconds = watch.seconds();
  if (prepared.report && (options.announce || prepared.report->built()))
    announce_cache(*prepared.report, opened.seconds);
  const auto usable = std::ranges::count_if(opened.source->rows(), &ClipRow::is_usable);
  require_few_faults(opened.faults, static_cast<size_t>(usable) + opened.faults.size(),
                     options.max_fault_share);
  return opened;
}

}  // namespace seda::feed
