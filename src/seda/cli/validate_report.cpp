// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/validate_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/html.h"
#include "seda/base/units.h"
#include "seda/cli/wrap_text.h"
#include "seda/config/config.h"
#include "seda/report/page.h"

namespace seda::cli {
namespace {

using diagnose::Check;
using diagnose::Finding;
using diagnose::Status;

constexpr size_t kStatusColumns = 14;  // "not measured" and two blanks
constexpr size_t kNameColumns = 20;
constexpr size_t kNarrow = 72;  // below, what was found stands under its name

const char* color_of(Status status) {
  switch (status) {
    case Status::passed:
      return "\x1b[32m";
    case Status::warning:
      return "\x1b[33m";
    case Status::failed:
      return "\x1b[31m";
    case Status::not_measured:
      break;
  }
  return "\x1b[2m";
}

std::string_view band_of(Status status) {
  switch (status) {
    case Status::passed:
      return "good";
    case Status::failed:
      return "poor";
    case Status::warning:
    case Status::not_measured:
      break;
  }
  return "fair";
}

/// How the text is laid out.
struct Layout {
  size_t width;
  bool color;

  bool narrow() const { return width < kNarrow; }
  size_t indent() const { return narrow() ? 2 : kStatusColumns + kNameColumns; }

  std::string status(Status value) const {
    const std::string word = fmt::format("{:<{}}", to_string(value), kStatusColumns);
    return color ? color_of(value) + word + "\x1b[0m" : word;
  }

  /// A paragraph below a check's name.
  std::string below(std::string_view mark, const std::string& text) const {
    const std::string pad(indent(), ' ');
    return pad + std::string(mark) + wrap_text(text, indent() + mark.size(), width);
  }
};

std::string finding_text(const Finding& finding, const Layout& layout) {
  std::string out = layout.below("- ", finding.evidence);
  if (!finding.change.empty()) out += layout.below("  > ", finding.change);
  return out;
}

/// One finding is the check itself; several are listed.
std::string check_text(const Check& check, const Layout& layout) {
  std::string out = layout.status(check.status);
  if (layout.narrow()) {
    out += check.name + "\n" + layout.below("", check.evidence);
  } else {
    out += fmt::format("{:<{}}", check.name, kNameColumns);
    out += wrap_text(check.evidence, layout.indent(), layout.width);
  }
  if (check.findings.size() > 1 && check.name == "schema") {
    for (const Finding& finding : check.findings)
      out += finding_text(finding, layout);
    return out;
  }
  if (!check.change.empty()) out += layout.below("> ", check.change);
  return out;
}

size_t fixable(const std::vector<Finding>& findings) {
  return static_cast<size_t>(std::ranges::count_if(
      findings, [](const Finding& finding) { return finding.fix.has_value(); }));
}

std::string repair_text(const ValidateReport& report) {
  if (!report.repair) return "";
  std::string out = report.diff;
  for (const std::string& reason : report.repair->refused)
    out += "cannot fix: " + reason + "\n";
  if (report.repair->fixed.empty()) return out + "fixed         nothing: there is nothing to fix\n";
  const std::string keys = format_count(report.repair->fixed.size(), "key");
  if (!report.written)
    return out + fmt::format("fixed         {} in a run without --dry-run\n", keys);
  return out +
         fmt::format("fixed         {}; the file before is {}\n", keys, report.backup.string());
}

std::string summary_text(const ValidateReport& report) {
  const diagnose::Validation& all = report.validation;
  return fmt::format("{} passed, {}, {} failed, {} not measured", all.count(Status::passed),
                     format_count(all.count(Status::warning), "warning"), all.count(Status::failed),
                     all.count(Status::not_measured));
}

/// With --config, where another file would be found without.
std::string hint_text(const ValidateReport& report, const Layout& layout) {
  const size_t count = fixable(report.validation.findings());
  if (report.repair || count == 0) return "";
  const bool named = report.file && report.file != config::find_config_file();
  const std::string file = named ? " --config " + report.file->string() : "";
  return wrap_text(fmt::format("{} can be fixed in the file: seda validate{} --fix (--dry-run "
                               "shows how)",
                               format_count(count, "finding"), file),
                   0, layout.width);
}

Json fixed_json(const ValidateReport& report) {
  Json out = Json::array();
  if (!report.repair) return out;
  for (const config::Fixed& fixed : report.repair->fixed)
    out.push_back({{"key", fixed.key}, {"from", fixed.from}, {"to", fixed.to}});
  return out;
}

/// What was found and, below it, what to do about it.
std::string found_cell(const std::string& evidence, const std::string& change) {
  const std::string below =
      change.empty() ? "" : fmt::format("<p class=\"soft\">{}</p>", escape_html(change));
  return escape_html(evidence) + below;
}

/// Words that are not broken, however narrow the page.
std::string whole(const std::string& markup) {
  return fmt::format("<span style=\"white-space: nowrap\">{}</span>", markup);
}

std::string checks_table(const ValidateReport& report) {
  std::vector<report::Row> rows;
  rows.reserve(report.validation.checks.size());
  for (const Check& check : report.validation.checks) {
    const std::string status =
        report::in_band(band_of(check.status), escape_html(to_string(check.status)));
    rows.push_back({whole(escape_html(check.name)) + "<br>" + whole(status),
                    found_cell(check.evidence, check.change)});
  }
  return report::table({"check", "found"}, rows);
}

std::string findings_table(const ValidateReport& report) {
  std::vector<report::Row> rows;
  for (const Finding& finding : report.validation.findings()) {
    const std::string where =
        finding.line > 0 ? fmt::format("{}, line {}", finding.key, finding.line) : finding.key;
    rows.push_back({whole(escape_html(finding.code)) + "<br>" +
                        whole(escape_html(to_string(finding.severity))),
                    fmt::format("<b>{}</b> {}", escape_html(where),
                                found_cell(finding.evidence, finding.change))});
  }
  return rows.empty() ? "" : report::table({"code", "found"}, rows);
}

}  // namespace

Json to_json(const ValidateReport& report) {
  Json checks = Json::array();
  for (const Check& check : report.validation.checks)
    checks.push_back(to_json(check));
  Json findings = Json::array();
  for (const Finding& finding : report.validation.findings())
    findings.push_back(to_json(finding));
  const auto& live = report.validation.live;
  return {{"file", report.file ? Json(report.file->string()) : Json()},
          {"checks", std::move(checks)},
          {"findings", std::move(findings)},
          {"fixed", fixed_json(report)},
          {"not_fixed", report.repair ? Json(report.repair->refused) : Json::array()},
          {"diff", report.diff},
          {"written", report.written},
          {"backup", report.backup.string()},
          {"live", live ? diagnose::to_json(*live) : Json()}};
}

std::string report_text(const ValidateReport& report, size_t width, bool color) {
  const Layout layout{width, color};
  std::string out = repair_text(report);
  for (const Check& check : report.validation.checks)
    out += check_text(check, layout);
  return out + wrap_text(summary_text(report), 0, width) + hint_text(report, layout);
}

std::string report_page(const ValidateReport& report) {
  std::string body = fmt::format("<h1>seda validate</h1><p class=\"soft\">{}: {}</p>",
                                 escape_html(report.file ? report.file->string() : "defaults"),
                                 escape_html(summary_text(report)));
  body += report::section("Checks", checks_table(report));
  body += report::section("Findings", findings_table(report));
  if (!report.diff.empty()) body += report::section("Fixed", report::lines({report.diff}));
  return report::page("seda validate", body);
}

}  // namespace seda::cli
