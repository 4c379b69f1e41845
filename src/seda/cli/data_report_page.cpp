// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/base/units.h"
#include "seda/cli/data_report.h"
#include "seda/cli/page_parts.h"
#include "seda/diagnose/bands.h"
#include "seda/report/page.h"

namespace seda::cli {
namespace {

using diagnose::DataProfile;
using diagnose::ProfileOptions;
using diagnose::Trial;

std::string figures_part(const DataProfile& profile, const ProfileOptions& options) {
  std::string out =
      report::tile("speed", fmt::format("{:.0f}", profile.run.clips_per_second()), "clips/s") +
      report::tile("batch", escape_html(format_seconds(profile.times.median)), "median");
  if (options.step_s > 0)
    out += share_tile("GPU idle", profile.run.stall(), diagnose::kStallBounds);
  out += variation_tile(profile.times, options.step_s > 0);
  out += share_tile("padding", profile.padding(), diagnose::kPaddingBounds);
  return report::tiles(out);
}

std::string grid_section(const DataProfile& profile) {
  if (profile.grid.empty()) return {};
  std::vector<report::Row> rows;
  rows.reserve(profile.grid.size());
  for (const Trial& trial : profile.grid) {
    rows.push_back({size_text(trial.settings), std::to_string(trial.settings.workers),
                    fmt::format("{:.0f}", trial.clips_per_second()),
                    escape_html(format_seconds(trial.batch_s())),
                    format_percent(trial.variation())});
  }
  return report::section(
      "Grid", report::table({"batch", "workers", "clips/s", "a batch", "variation"}, rows));
}

}  // namespace

std::string report_page(const DataProfile& profile, const ProfileOptions& options) {
  const std::string text = figures_text(profile, options) + comparisons_text(profile);
  return report::page(
      "seda profile data",
      "<h1>The loader</h1>\n" + verdict_card(profile.verdict) + figures_part(profile, options) +
          remedies_section(profile.verdict.remedies) +
          report::section("How batches were made",
                          report::charts(stage_chart(profile.run.loader) +
                                         step_histogram(profile.run, profile.times) +
                                         step_curve(profile.run))) +
          grid_section(profile) + report::section("All figures", report::lines({text})));
}

}  // namespace seda::cli
