// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/cli/flags.h"
#include "seda/cli/verbs.h"

namespace seda::cli {
namespace {

constexpr size_t kFaultsShown = 10;

struct PrepareFlags {
  std::string folder;
  std::string shard;
  bool dry_run = false;
  bool force = false;
};

dataset::ReadOptions read_options(const config::Config& config) {
  dataset::ReadOptions options;
  if (!config.is_auto("data.format")) {
    options.format = dataset::parse_format(config.text("data.format"));
  }
  options.validation_share = config.number("data.validation_share");
  if (!config.is_auto("data.validation_list")) {
    options.validation_list = config.text("data.validation_list");
  }
  return options;
}

feed::PrepareOptions prepare_options(const config::Config& config, const PrepareFlags& flags,
                                     const Common& common) {
  feed::PrepareOptions options;
  options.corpus = corpus_folder(flags.folder, config);
  if (!config.is_auto("data.cache_dir")) options.cache = config.text("data.cache_dir");
  options.read = read_options(config);
  options.text = feed::text_options(config);
  options.threads = worker_threads(config);
  options.read.threads = options.threads;
  if (!flags.shard.empty()) options.shard = feed::parse_shard(flags.shard);
  options.force = flags.force;
  options.progress = progress_style(common.quiet);
  return options;
}

Json to_json(const text::MemoCounts& counts) {
  return {{"hits", counts.hits}, {"misses", counts.misses}};
}

Json to_json(const feed::PrepareReport& report) {
  Json out = {{"clips", report.clips},
              {"hours", report.hours},
              {"text_hits", report.text_hits},
              {"text_built", report.text_built},
              {"audio_hits", report.audio_hits},
              {"audio_built", report.audio_built},
              {"reasons", Json(report.reasons)},
              {"faults", Json::array()},
              {"language_cache", to_json(report.language_memo)},
              {"normalization_cache", to_json(report.normalization_memo)},
              {"text_seconds", report.text_seconds},
              {"audio_seconds", report.audio_seconds},
              {"seconds", report.seconds},
              {"bytes", report.bytes},
              {"cache", report.cache.string()},
              {"format", report.format},
              {"validation_clips", report.validation_clips},
              {"speakers", report.speakers},
              {"languages", Json(report.languages)},
              {"unknown_symbols", report.unknown_symbols},
              {"unknown_examples", Json::array()},
              {"dropped_emoji", report.lines.emoji}};
  for (const Fault& fault : report.faults) {
    out["faults"].push_back({{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}});
  }
  for (const feed::UnknownSymbol& unknown : report.lines.unknown) {
    out["unknown_examples"].push_back(
        {{"symbol", unknown.symbol}, {"count", unknown.count}, {"example", unknown.example}});
  }
  return out;
}

std::string counted(const std::map<std::string, uint64_t>& counts) {
  std::string out;
  for (const auto& [name, count] : counts)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, count);
  return out;
}

std::string corpus_text(const feed::PrepareReport& report) {
  std::string out = fmt::format("corpus     {} clips ({} for validation), {}\n", report.clips,
                                report.validation_clips, report.evidence);
  if (report.speakers > 0) out += fmt::format("speakers   {}\n", report.speakers);
  if (!report.languages.empty()) out += fmt::format("languages  {}\n", counted(report.languages));
  if (report.hours > 0) out += fmt::format("length     {:.2f} h\n", report.hours);
  return out;
}

std::string unknown_text(const feed::PrepareReport& report) {
  if (report.unknown_symbols == 0 && report.lines.unknown.empty()) return {};
  std::string out =
      fmt::format("unknown    {} symbols that the tokenizer has not", report.unknown_symbols);
  size_t shown = 0;
  for (const feed::UnknownSymbol& unknown : report.lines.unknown) {
    if (shown++ == kFaultsShown) break;
    out += fmt::format("\n             '{}' {} times, first in {}", unknown.symbol, unknown.count,
                       unknown.example);
  }
  return out + "\n";
}

std::string faults_text(const feed::PrepareReport& report) {
  std::string out = fmt::format("faults     {}\n", report.faults.size());
  for (size_t i = 0; i < std::min(kFaultsShown, report.faults.size()); ++i) {
    const Fault& fault = report.faults[i];
    out += fmt::format("             {} {}: {}\n", fault.id, fault.code, fault.evidence);
  }
  if (report.faults.size() > kFaultsShown) {
    out += fmt::format("             and {} more; --json lists all\n",
                       report.faults.size() - kFaultsShown);
  }
  return out;
}

std::string reasons_text(const feed::PrepareReport& report) {
  std::string out;
  for (const auto& [reason, count] : report.reasons)
    out += fmt::format("             {}: {}\n", reason, count);
  return out;
}

std::string report_text(const feed::PrepareReport& report, bool dry_run) {
  std::string out = corpus_text(report);
  out += fmt::format("text       {} kept, {} {}\n{}", report.text_hits, report.text_built,
                     dry_run ? "to read" : "read", reasons_text(report));
  out += unknown_text(report);
  out += faults_text(report);
  if (dry_run) {
    for (const auto& utterance : report.examples) {
      out += fmt::format("example    {} | {} | {} | {}\n", utterance.id, utterance.audio.string(),
                         utterance.speaker, utterance.text);
    }
    return out;
  }
  out += fmt::format(
      "memory     languages {} of {} known, normalised lines {} of {}\n", report.language_memo.hits,
      report.language_memo.hits + report.language_memo.misses, report.normalization_memo.hits,
      report.normalization_memo.hits + report.normalization_memo.misses);
  out += fmt::format("time       {} in all, text {}\n", format_seconds(report.seconds),
                     format_seconds(report.text_seconds));
  return out +
         fmt::format("cache      {}, {}\n", report.cache.string(), format_bytes(report.bytes));
}

/// The share of a corpus that may be bad before preparing it counts as failed.
void check_faults(const feed::PrepareReport& report, double most) {
  const auto all = static_cast<double>(report.clips + report.faults.size());
  const double share = all == 0 ? 0 : static_cast<double>(report.faults.size()) / all;
  if (report.clips == 0) {
    throw_error(ErrorKind::check_failed, "no clip of the corpus can be used; see the faults above");
  }
  if (share <= most) return;
  throw_error(ErrorKind::check_failed,
              "{} of {} clips are bad, more than data.max_fault_share ({}) allows; mend them, or "
              "raise that key",
              report.faults.size(), all, most);
}

void run(const config::Config& config, const PrepareFlags& flags, const Common& common) {
  const auto options = prepare_options(config, flags, common);
  const feed::PrepareReport report =
      flags.dry_run ? feed::plan_prepare(options) : feed::prepare(options);
  if (!flags.dry_run) {
    if (report.text_built + report.audio_built > 0) {
      log::info("CACHE SAVED: {} clips in {:.1f} s", report.clips, report.seconds);
    } else {
      log::info("CACHE LOADED: {} clips in {:.3f} s", report.clips, report.seconds);
    }
  }
  if (common.json) {
    print_json(to_json(report));
  } else {
    print(report_text(report, flags.dry_run));
  }
  check_faults(report, config.number("data.max_fault_share"));
}

}  // namespace

void add_prepare(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("prepare", "build or update the cache of a corpus");
  const auto flags = std::make_shared<PrepareFlags>();
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  verb->add_option("--shard", flags->shard,
                   "prepare the i-th of n parts, from 0, into a cache of its own; seda cache merge "
                   "joins them")
      ->type_name("i/n");
  verb->add_flag("--dry-run", flags->dry_run, "show what would be read and why; write nothing");
  verb->add_flag("--force", flags->force, "make every record again");
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(
      *verb,
      {"data.dataset_path", "data.format", "data.cache_dir", "data.num_workers", "data.text"});
  verb->footer(
      "Examples:\n  seda prepare corpora/voice\n  seda prepare corpora/voice --dry-run\n  seda "
      "prepare corpora/voice --shard 0/4 --num-workers 16\n  seda prepare --config voice.yaml "
      "--json");
  verb->callback([=] { run(config_flags->load().config, *flags, *common); });
}

}  // namespace seda::cli
