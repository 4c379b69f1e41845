// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/diagnose_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/units.h"
#include "seda/cli/evidence_lines.h"
#include "seda/cli/stage_bars.h"
#include "seda/cli/wrap_text.h"

namespace seda::cli {
namespace {

using diagnose::AppliedRemedy;
using diagnose::Diagnosis;

constexpr size_t kBarsWidth = 60;  // of the stage bars, which are not folded

std::string list(const std::string& title, const std::vector<std::string>& lines, size_t width) {
  if (lines.empty()) return {};
  std::string out = title + "\n";
  for (const std::string& line : lines)
    out += folded("- ", line, 2, width);
  return out + "\n";
}

std::string verdict_lines(const Diagnosis& diagnosis, size_t width) {
  std::string out = folded("VERDICT  ", std::string(to_string(diagnosis.verdict.cause)), 2, width);
  for (const std::string& evidence : diagnosis.verdict.evidence)
    out += folded("  ", evidence, 4, width);
  return out + "\n";
}

std::string changes_text(const Diagnosis& diagnosis, size_t width) {
  std::vector<std::string> lines;
  lines.reserve(diagnosis.config_changes.size());
  for (const auto& [key, value] : diagnosis.config_changes)
    lines.push_back(fmt::format("{}: {}", key, value));
  return list("Configuration changes", lines, width);
}

std::string section_text(const diagnose::Section& section, size_t number, size_t width) {
  std::string out =
      folded("", fmt::format("{}. {}: {}", number, section.name, section.status), 3, width);
  for (const auto& [name, value] : evidence_lines(section.evidence))
    out += folded("   " + name + ": ", value, 5, width);
  return out;
}

Json section_json(const diagnose::Section& section) {
  return {{"name", section.name}, {"status", section.status}, {"evidence", section.evidence}};
}

Json run_json(const diagnose::TrialRun& run) {
  return {{"clips_per_second", run.clips_per_second},
          {"stall", run.stall},
          {"real_share", run.real_share}};
}

std::string one_applied(const AppliedRemedy& applied, size_t width) {
  std::string out = folded("applied  ", applied.remedy.change, 2, width);
  if (!applied.diff.empty()) {
    out += applied.diff;
    out += folded("  ",
                  fmt::format("before {:.0f} clips/s, stall {:.0f} %; after {:.0f} clips/s, stall "
                              "{:.0f} %",
                              applied.before.clips_per_second, 100 * applied.before.stall,
                              applied.after.clips_per_second, 100 * applied.after.stall),
                  4, width);
  }
  return out + folded("  ",
                      applied.kept
                          ? "kept; the file before is " + applied.backup.string()
                          : (applied.diff.empty() ? "not applied: " : "taken back: ") + applied.why,
                      4, width);
}

}  // namespace

std::string diagnosis_text(const Diagnosis& diagnosis, size_t width) {
  std::string out = verdict_lines(diagnosis, width);
  out += list("Issues", diagnosis.issues, width);
  out += list("Recommendations", diagnosis.recommendations, width);
  out += changes_text(diagnosis, width);
  for (size_t i = 0; i < diagnosis.sections.size(); ++i)
    out += section_text(diagnosis.sections[i], i + 1, width);
  if (width >= kBarsWidth) out += "\n" + stage_bars(diagnosis.run.loader);
  return out + folded("", fmt::format("The diagnosis took {}.", format_seconds(diagnosis.seconds)),
                      0, width);
}

std::string applied_text(const std::vector<AppliedRemedy>& applied, size_t width) {
  if (applied.empty()) return folded("", "applied  nothing: there is no change to make", 2, width);
  std::string out;
  for (const AppliedRemedy& one : applied)
    out += one_applied(one, width);
  return out;
}

Json diagnosis_json(const Diagnosis& diagnosis) {
  Json sections = Json::array();
  for (const diagnose::Section& section : diagnosis.sections)
    sections.push_back(section_json(section));
  Json changes = Json::object();
  for (const auto& [key, value] : diagnosis.config_changes)
    changes[key] = value;
  return {{"sections", std::move(sections)},
          {"issues", diagnosis.issues},
          {"recommendations", diagnosis.recommendations},
          {"config_changes", std::move(changes)},
          {"verdict", diagnose::to_json(diagnosis.verdict)},
          {"clips_per_second", diagnosis.run.clips_per_second()},
          {"data_stall", diagnosis.step_s > 0 ? Json(diagnosis.run.stall()) : Json()},
          {"step_ms", diagnosis.step_s > 0 ? Json(1e3 * diagnosis.step_s) : Json()},
          {"other_cores", diagnosis.run.machine.other_cores},
          {"corpus", corpus_json(diagnosis.corpus)},
          {"seconds", diagnosis.seconds}};
}

Json applied_json(const std::vector<AppliedRemedy>& applied) {
  Json out = Json::array();
  for (const AppliedRemedy& one : applied) {
    out.push_back({{"change", one.remedy.change},
                   {"kept", one.kept},
                   {"why", one.why},
                   {"diff", one.diff},
                   {"backup", one.backup.string()},
                   {"before", run_json(one.before)},
                   {"after", run_json(one.after)}});
  }
  return out;
}

Json corpus_json(const diagnose::CorpusFigures& corpus) {
  Json faults = Json::object();
  for (const auto& [code, count] : corpus.faults)
    faults[code] = count;
  return {{"clips", corpus.clips},         {"usable", corpus.usable},
          {"hours", corpus.hours},         {"speakers", corpus.speakers},
          {"languages", corpus.languages}, {"shortest_s", corpus.shortest_s},
          {"longest_s", corpus.longest_s}, {"faults", std::move(faults)}};
}

}  // namespace seda::cli
