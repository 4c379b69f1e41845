// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/lab.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "seda/base/scratch_folder.h"
#include "seda/config/problem.h"
#include "seda/diagnose/consumer.h"
#include "seda/feed/make_loader.h"
#include "seda/feed/prepare_options.h"

namespace seda::diagnose {
namespace {

constexpr size_t kMany = 1'000'000;  // batches: time ends a run
constexpr int kRepeats = 2;
constexpr double kMostHours = 1;  // of sound that is prepared only to try it

/// Keys that decide which clips are read, and how.
constexpr const char* kClipKeys[] = {"data.preprocessing_mode", "data.enable_memory_mapping",
                                     "data.cache_verification", "data.cache_dir"};

std::string clip_key(const config::Config& config) {
  std::string out;
  for (const char* key : kClipKeys)
    out += config::to_text(config.value(key)) + ";";
  return out;
}

double hours_of(const feed::ClipSource& source) {
  double seconds = 0;
  for (const feed::ClipRow& row : source.rows())
    seconds += row.duration_s;
  return seconds / 3600;
}

TrialRun mean_of(const std::vector<TrialRun>& runs) {
  Trial trial;
  trial.runs = runs;
  return {trial.clips_per_second(), trial.stall(),      trial.batch_s(),
          trial.variation(),        trial.idle_cores(), runs.back().real_share};
}

}  // namespace

config::Value parse_setting(const std::string& key, const std::string& value) {
  const size_t dot = key.rfind('.');
  std::string text;
  std::string indent;
  for (size_t begin = 0; begin < dot;) {  // every section of the key on a line
    const size_t end = std::min(dot, key.find('.', begin));
    text += fmt::format("{}{}:\n", indent, key.substr(begin, end - begin));
    indent += "  ";
    begin = end + 1;
  }
  text += fmt::format("{}{}: {}\n", indent, key.substr(dot + 1), value);
  const config::Reading reading = config::parse_config(text, key);
  reading.problems.raise();
  return reading.config.value(key);
}

config::Config with_setting(const config::Config& config, const std::string& key,
                            const std::string& value) {
  config::Config out = config;
  out.set(key, parse_setting(key, value),
          {.origin = config::Origin::flag, .place = {}, .flag = "diagnose"});
  return out;
}

Lab::Lab(const config::Config& now, const feed::OpenedClips& clips,
         const device::Platform& platform, LabOptions options)
    : now_(now), clips_(clips), platform_(platform), options_(std::move(options)) {}

const feed::OpenedClips& Lab::clips_of(const config::Config& config) {
  if (clip_key(config) == clip_key(now_)) return clips_;
  if (others_ && others_key_ == clip_key(config)) return *others_;
  auto open = feed::open_options(config, options_.corpus, &platform_);
  open.use_cache = options_.use_cache;
  open.announce = false;
  others_ = feed::open_clips(open);
  others_key_ = clip_key(config);
  return *others_;
}

TrialRun Lab::run(const config::Config& config) {
  return run_with(clips_of(config), config);
}

TrialRun Lab::run_with(const feed::OpenedClips& clips, const config::Config& config) {
  feed::FeedOptions options = feed::feed_options(config, platform_);
  options.announce = false;
  const auto loader = feed::make_loader(clips, options, platform_);
  ConsumerOptions consumer{.batches = kMany,
                           .most_s = options_.seconds / 3,
                           .step_s = options_.step_s,
                           .after_batch = options_.after_batch};
  // What lies ready from the start would flatter a short run.
  consume(*loader, platform_, options.roles.model, consumer);
  consumer.most_s = 2 * options_.seconds / 3;
  const Consumption run = consume(*loader, platform_, options.roles.model, consumer);
  const feed::LoaderStatistics& fed = run.loader;
  return {
      run.clips_per_second(),
      run.stall(),
      run.mean_batch_s(),
      summarize(run.batches).robust_variation,
      run.machine.idle_cores,
      fed.frames > 0 ? static_cast<double>(fed.real_frames) / static_cast<double>(fed.frames) : 1};
}

std::optional<TrialRun> Lab::run_cached() {
  if (hours_of(*clips_.source) > kMostHours) return std::nullopt;
  const ScratchFolder folder;
  auto open = feed::open_options(now_, options_.corpus, &platform_);
  open.prepare.cache = folder.path() / "cache";
  const feed::OpenedClips clips = feed::open_clips(open);
  return run_with(clips, now_);
}

Lab::Comparison Lab::compare(const config::Config& other) {
  std::vector<TrialRun> before;
  std::vector<TrialRun> after;
  for (int i = 0; i < kRepeats; ++i) {
    before.push_back(run(now_));
    after.push_back(run(other));
  }
  return {mean_of(before), mean_of(after)};
}

}  // namespace seda::diagnose
