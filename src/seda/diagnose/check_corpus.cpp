// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/units.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"
#include "seda/feed/clip_lengths.h"

namespace seda::diagnose {
namespace {

constexpr double kManyShare = 0.05;  // of clips that are left out or cut
constexpr size_t kShownFaults = 3;

double share_of(size_t part, size_t all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

/// Everything of a corpus that a check judges.
class Fit {
 public:
  Fit(const CheckContext& context, const CorpusView& view)
      : context_(context), view_(view), rows_(view.clips.source->rows()) {
    for (const auto split : {dataset::Split::train, dataset::Split::validation})
      add(feed::clip_lengths(rows_, split, view.clips.source->mel(), limits()).report);
  }

  Check judge() {
    find_faults();
    find_lengths();
    find_unknown();
    if (context_.sounds) find_odd(*context_.sounds);
    return judged(kCorpusFit, std::move(findings_), summary());
  }

 private:
  feed::LengthLimits limits() const {
    const config::Config& config = context_.config;
    return {static_cast<int>(config.integer("data.max_text_length")),
            static_cast<int>(config.integer("data.max_mel_frames")),
            config.text("data.overlong") == "truncate" ? feed::Overlong::truncate
                                                       : feed::Overlong::skip};
  }

  void add(const feed::LengthReport& report) {
    lengths_.clips += report.clips;
    lengths_.skipped_text += report.skipped_text;
    lengths_.skipped_mel += report.skipped_mel;
    lengths_.cut_text += report.cut_text;
    lengths_.cut_mel += report.cut_mel;
  }

  std::string faults_text() const {
    std::vector<std::string> shown;
    for (const Fault& fault : view_.clips.faults) {
      if (shown.size() == kShownFaults) break;
      shown.push_back(fmt::format("{} {} ({})", fault.id, fault.code, fault.evidence));
    }
    return fmt::format("{}{}", fmt::join(shown, ", "),
                       view_.clips.faults.size() > kShownFaults ? ", …" : "");
  }

  void find_faults() {
    const size_t bad = view_.clips.faults.size();
    if (bad == 0 && lengths_.clips > 0) return;
    const size_t all = rows_.size() + view_.corpus.faults.size();
    const double most = context_.config.number("data.max_fault_share");
    const bool none = lengths_.clips == 0;
    const bool many = share_of(bad, all) > most;
    const std::string bad_text = fmt::format(
        "{}: {}; {} of all, data.max_fault_share allows {}", format_count(bad, "bad clip"),
        faults_text(), format_percent(share_of(bad, all), 1), format_percent(most, 1));
    Finding finding = of_key(context_.config, "data.max_fault_share",
                             none || many ? Severity::error : Severity::warning,
                             none ? FindingCode::no_clips : FindingCode::bad_clips, bad_text,
                             "mend or remove these clips; `seda prepare` lists all");
    if (bad == 0) finding.evidence = fmt::format("no clip {} can be fed", view_.extent());
    findings_.push_back(std::move(finding));
  }

  void find_long(size_t clips, const char* key, FindingCode code, std::string_view what) {
    const double share = share_of(clips, rows_.size());
    if (share <= kManyShare) return;
    findings_.push_back(
        of_key(context_.config, key, Severity::warning, code,
               fmt::format("{} of the clips are {} over {} {}", format_percent(share, 1), what, key,
                           context_.config.integer(key)),
               fmt::format("raise {}, or split these clips", key)));
  }

  void find_lengths() {
    find_long(lengths_.skipped_text, "data.max_text_length", FindingCode::clips_skipped, "skipped");
    find_long(lengths_.skipped_mel, "data.max_mel_frames", FindingCode::clips_skipped, "skipped");
    find_long(lengths_.cut_text, "data.max_text_length", FindingCode::clips_cut, "cut");
    find_long(lengths_.cut_mel, "data.max_mel_frames", FindingCode::clips_cut, "cut");
  }

  void find_unknown() {
    uint64_t unknown = 0;
    size_t clips = 0;
    for (const feed::ClipRow& row : rows_) {
      unknown += row.unknown;
      clips += row.unknown > 0 ? 1 : 0;
    }
    if (unknown == 0) return;
    findings_.push_back(of_machine(
        Severity::warning, FindingCode::unknown_symbols,
        fmt::format("{} symbols that the tokenizer has not, in {} clips", unknown, clips),
        "`seda text` shows which; mend the lines, or set data.text.language or "
        "data.text.tokenizer"));
  }

  void find_odd(const SoundSurvey& sounds) {
    const auto find = [&](const SoundSurvey::Oddity& oddity, FindingCode code,
                          std::string_view what, const char* change) {
      if (oddity.clips == 0) return;
      findings_.push_back(of_machine(Severity::warning, code,
                                     fmt::format("{} of {} clips {}, first {}", oddity.clips,
                                                 sounds.looked_at, what, oddity.example),
                                     change));
    };
    find(sounds.silent, FindingCode::silent_clips, "are silence", "remove them");
    find(sounds.clipped, FindingCode::clipped_clips, "are clipped",
         "record them again at a lower level, or remove them");
    find(sounds.brief, FindingCode::short_clips,
         fmt::format("are shorter than {} s", kShortSeconds),
         "remove them, or join them to others");
    find(
        sounds.low_rate, FindingCode::low_rate_clips,
        fmt::format("were recorded at less than {} Hz", view_.clips.corpus.audio.sound.sample_rate),
        "data.mel.sample_rate and data.mel.fmax: as recorded");
  }

  std::string summary() const {
    std::string out = fmt::format("{} are fed, {} skipped, {} cut {}", lengths_.clips,
                                  lengths_.skipped_text + lengths_.skipped_mel,
                                  lengths_.cut_text + lengths_.cut_mel, view_.extent());
    if (!context_.sounds) return out;
    std::vector<std::string> kinds;
    for (const auto& [rate, clips] : context_.sounds->rates)
      kinds.push_back(fmt::format("{} at {} Hz", clips, rate));
    for (const auto& [channels, clips] : context_.sounds->channels) {
      kinds.push_back(
          fmt::format("{} of {}", clips, format_count(static_cast<uint64_t>(channels), "channel")));
    }
    if (kinds.empty())
      return out + fmt::format("; none of {} could be decoded", context_.sounds->looked_at);
    return out +
           fmt::format("; of {} decoded: {}", context_.sounds->looked_at, fmt::join(kinds, ", "));
  }

  const CheckContext& context_;
  const CorpusView& view_;
  std::span<const feed::ClipRow> rows_;
  feed::LengthReport lengths_;
  std::vector<Finding> findings_;
};

}  // namespace

Check check_corpus(const CheckContext& context) {
  constexpr const char* kKey = "data.dataset_path";
  constexpr const char* kChange =
      "data.dataset_path: a folder with a corpus; `seda prepare DIR --dry-run` shows what is in "
      "one";
  if (context.view) return Fit(context, *context.view).judge();
  if (context.corpus_problem.empty())
    return not_measured(kCorpusFit, context.no_view, context.to_view);
  const std::string& evidence = context.corpus_problem;
  constexpr auto kCode = FindingCode::unreadable_corpus;
  return judged(kCorpusFit,
                {context.config.is_auto(kKey)
                     ? of_machine(Severity::error, kCode, evidence, kChange)
                     : of_key(context.config, kKey, Severity::error, kCode, evidence, kChange)},
                "");
}

}  // namespace seda::diagnose
