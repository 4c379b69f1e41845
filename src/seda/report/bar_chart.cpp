// SPDX-License-Identifier: Apache-2.0
#include "seda/report/bar_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/report/figure.h"

namespace seda::report {
namespace {

constexpr double kWidth = 440;
constexpr double kLeft = 78;
constexpr double kRight = 10;
constexpr double kRow = 38;
constexpr double kThick = 14;
constexpr double kField = kWidth - kLeft - kRight;

std::string draw_parts(const BarChartOptions& options, const StackedBar& bar, double y) {
  std::string out;
  double at = 0;
  for (size_t part = 0; part < bar.shares.size(); ++part) {
    const double share = std::clamp(bar.shares[part], 0.0, 1 - at);
    const std::string name = part < options.parts.size() ? options.parts[part] : "";
    out += fmt::format(
        "<rect class=\"fill line-{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\">"
        "<title>{}: {} {:.1f} %</title></rect>\n",
        part + 1, kLeft + at * kField, y, share * kField, kThick, escape_html(bar.name),
        escape_html(name), 100 * bar.shares[part]);
    at += share;
  }
  return out;
}

std::string draw_bar(const BarChartOptions& options, const StackedBar& bar, double y) {
  return fmt::format(
             "<rect class=\"empty\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\"/>"
             "<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>"
             "<text class=\"tick\" x=\"{}\" y=\"{:.1f}\">{}</text>\n",
             kLeft, y, kField, kThick, kLeft - 6, y + 11, escape_html(bar.name), kLeft, y + 27,
             escape_html(bar.note)) +
         draw_parts(options, bar, y);
}

}  // namespace

std::string draw_bars(const BarChartOptions& options, std::span<const StackedBar> bars) {
  if (bars.empty()) return figure(options.title, nothing_measured());
  std::string out;
  double y = 4;
  for (const StackedBar& bar : bars) {
    out += draw_bar(options, bar, y);
    y += kRow;
  }
  return figure(options.title, legend(options.parts) + picture(kWidth, y, options.title, out));
}

}  // namespace seda::report
