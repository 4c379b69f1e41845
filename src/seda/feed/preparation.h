// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/cache/cache.h"
#include "seda/cache/writer.h"
#include "seda/feed/audio_plan.h"
#include "seda/feed/listing.h"
#include "seda/feed/prepare.h"
#include "seda/feed/previous.h"
#include "seda/feed/text_plan.h"
#include "seda/text/frontend.h"

namespace seda::feed {

/// One run of `prepare` over a corpus; its steps are called in the order they stand here.
class Preparation {
 public:
  explicit Preparation(PrepareOptions options);

  const std::filesystem::path& cache() const noexcept { return report_.cache; }

  /// Looks up what the cache has. `writer` is null in a dry run.
  void plan(cache::Writer* writer);
  void announce() const;
  void read_lines(cache::Writer& writer);
  void read_files(cache::Writer& writer);
  /// Looks again, where records were made.
  void look_again(cache::Writer& writer);
  /// Sets aside what cannot be used, and lists the clips; those of a shard are not listed.
  void list(cache::Writer& writer);
  /// Sets aside what is known to be bad, without a listing. In a dry run not `all_read`.
  void judge(bool all_read = true);
  /// In a dry run: whether the cache's listing is that of the clips as they are.
  void find_listing();
  void show_examples();
  PrepareReport finish();

 private:
  void take_shard();
  void plan_lines(const cache::Cache* cache, cache::Writer* writer);
  void plan_files(const cache::Cache* cache);
  std::vector<bool> clips_to_read() const;
  void run_stage(cache::Writer& writer, const char* unit, uint64_t total, double& seconds,
                 const std::function<void(Progress&)>& work) const;
  void join_parts(cache::Writer& writer) const;
  const cache::Table* table(const Half& half, const Json& description) const;
  void judge_lines(const ListingWriter& listing);
  void count_clips();
  ListingWriter make_listing() const;
  Json listing_description() const;
  ListingInfo listing_info() const;

  Stopwatch watch_;
  PrepareOptions options_;
  PrepareReport report_;
  dataset::Corpus corpus_;
  std::optional<cache::Cache> before_;  // the cache as it was
  std::optional<cache::Cache> now_;     // and as it is when all records are made
  std::unique_ptr<text::Frontend> frontend_;
  Json text_description_;
  Json audio_description_;
  std::unique_ptr<Previous> previous_texts_;
  std::unique_ptr<Previous> previous_sounds_;
  TextPlan lines_;
  AudioPlan files_;
  std::vector<bool> bad_;  // of each clip: it cannot be used
};

/// `prepare` with a corpus that was read already.
PrepareReport prepare(Preparation& preparation);

}  // namespace seda::feed
