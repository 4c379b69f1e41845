// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/prepare_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/feed/fault_log.h"

namespace seda::cli {
namespace {

constexpr size_t kFaultsShown = 10;

Json to_json(const text::MemoCounts& counts) {
  return {{"hits", counts.hits}, {"misses", counts.misses}};
}

Json to_json(const feed::AudioStageReport& sounds) {
  return {{"seconds", sounds.sound_s},
          {"resampled", sounds.resampled},
          {"mixed", sounds.mixed},
          {"clipped", sounds.clipped},
          {"trimmed_seconds", sounds.trimmed_s}};
}

std::string counted(const std::map<std::string, uint64_t>& counts) {
  std::string out;
  for (const auto& [name, count] : counts)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, count);
  return out;
}

std::string corpus_text(const feed::PrepareReport& report) {
  std::string out =
      fmt::format("corpus     {} ({} for validation), {}\n", format_count(report.clips, "clip"),
                  report.validation_clips, report.evidence);
  if (report.speakers > 0) out += fmt::format("speakers   {}\n", report.speakers);
  if (!report.languages.empty()) out += fmt::format("languages  {}\n", counted(report.languages));
  if (report.hours > 0) out += fmt::format("length     {:.2f} h\n", report.hours);
  return out;
}

std::string unknown_text(const feed::PrepareReport& report) {
  if (report.unknown_symbols == 0 && report.lines.unknown.empty()) return {};
  std::string out = fmt::format("unknown    {} that the tokenizer has not",
                                format_count(report.unknown_symbols, "symbol"));
  size_t shown = 0;
  for (const feed::UnknownSymbol& unknown : report.lines.unknown) {
    if (shown++ == kFaultsShown) break;
    out += fmt::format("\n             '{}' {}, first in {}", unknown.symbol,
                       format_count(unknown.count, "time"), unknown.example);
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

std::string audio_text(const feed::PrepareReport& report, bool dry_run) {
  std::string out =
      fmt::format("audio      {} kept, {} {} as {}", report.audio_hits, report.audio_built,
                  dry_run ? "to read" : "read", feed::to_string(report.audio_kind));
  const feed::AudioStageReport& sounds = report.sounds;
  if (report.audio_seconds > 0) {
    out += fmt::format(" ({:.0f} x real time)", sounds.sound_s / report.audio_seconds);
  }
  if (sounds.resampled > 0) out += fmt::format(", {} resampled", sounds.resampled);
  if (sounds.mixed > 0) out += fmt::format(", {} mixed to one channel", sounds.mixed);
  if (sounds.trimmed_s > 0) out += fmt::format(", {:.1f} s of silence cut", sounds.trimmed_s);
  if (sounds.clipped > 0) out += fmt::format(", {} clipped", sounds.clipped);
  return out + "\n";
}

/// Lines that came before, whose result was remembered.
std::string repeats_text(const feed::PrepareReport& report) {
  const text::MemoCounts& language = report.language_memo;
  const text::MemoCounts& normalized = report.normalization_memo;
  if (language.hits + normalized.hits == 0) return {};
  return fmt::format("repeats    language known of {} of {} lines, normalised text of {} of {}\n",
                     language.hits, language.hits + language.misses, normalized.hits,
                     normalized.hits + normalized.misses);
}

std::string time_text(const feed::PrepareReport& report) {
  std::string out = "time       " + format_seconds(report.seconds) + " in all";
  if (report.text_seconds > 0) out += ", text " + format_seconds(report.text_seconds);
  if (report.audio_seconds > 0) out += ", audio " + format_seconds(report.audio_seconds);
  return out + "\n";
}

}  // namespace

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
              {"dropped_emoji", report.lines.emoji},
              {"audio_kind", feed::to_string(report.audio_kind)},
              {"sounds", to_json(report.sounds)}};
  for (const Fault& fault : report.faults) {
    out["faults"].push_back({{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}});
  }
  for (const feed::UnknownSymbol& unknown : report.lines.unknown) {
    out["unknown_examples"].push_back(
        {{"symbol", unknown.symbol}, {"count", unknown.count}, {"example", unknown.example}});
  }
  return out;
}

std::string report_text(const feed::PrepareReport& report, bool dry_run) {
  std::string out = corpus_text(report);
  out += fmt::format("text       {} kept, {} {}\n", report.text_hits, report.text_built,
                     dry_run ? "to read" : "read");
  out += audio_text(report, dry_run) + reasons_text(report);
  out += unknown_text(report);
  out += faults_text(report);
  if (dry_run) {
    for (const auto& utterance : report.examples) {
      out += fmt::format("example    {} | {} | {} | {}\n", utterance.id, utterance.audio.string(),
                         utterance.speaker, utterance.text);
    }
    return out;
  }
  out += repeats_text(report) + time_text(report);
  return out +
         fmt::format("cache      {}, {}\n", report.cache.string(), format_bytes(report.bytes));
}

void check_faults(const feed::PrepareReport& report, double most) {
  if (report.clips == 0) {
    throw_error(ErrorKind::check_failed, "no clip of the corpus can be used; see the faults above");
  }
  const size_t bad = report.faults.size();
  feed::require_few_faults(bad, static_cast<size_t>(report.clips) + bad, most);
}

}  // namespace seda::cli
