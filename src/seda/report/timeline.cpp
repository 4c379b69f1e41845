// SPDX-License-Identifier: Apache-2.0
#include "seda/report/timeline.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/base/units.h"
#include "seda/report/axis.h"
#include "seda/report/figure.h"

namespace seda::report {
namespace {

constexpr double kWidth = 900;
constexpr double kLeft = 96;
constexpr double kRight = 24;
constexpr double kTop = 4;
constexpr double kRow = 20;
constexpr double kThick = 14;
constexpr double kBottom = 22;
constexpr double kField = kWidth - kLeft - kRight;
constexpr double kNarrow = 0.2;  // pixels
constexpr size_t kColours = 6;

using Names = std::vector<std::string>;

size_t number_of(Names& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  const auto place = static_cast<size_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return place;
}

/// Neighbours of one name that are closer than can be seen are one.
std::vector<TimelineSpan> joined(const std::vector<TimelineSpan>& spans, double seconds) {
  const double narrow_s = kNarrow / kField * seconds;
  std::vector<TimelineSpan> out;
  for (const TimelineSpan& span : spans) {
    const bool joins =
        !out.empty() && out.back().name == span.name && span.begin_s - out.back().end_s < narrow_s;
    if (joins) {
      out.back().end_s = std::max(out.back().end_s, span.end_s);
    } else {
      out.push_back(span);
    }
  }
  return out;
}

std::string draw_span(const TimelineSpan& span, size_t number, double y, double seconds) {
  const double begin = std::clamp(span.begin_s, 0.0, seconds);
  const double end = std::clamp(span.end_s, 0.0, seconds);
  return fmt::format(
      "<rect class=\"fill line-{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\">"
      "<title>{} {} at {}</title></rect>\n",
      number % kColours + 1, kLeft + begin / seconds * kField, y,
      std::max(0.3, (end - begin) / seconds * kField), kThick, escape_html(span.name),
      format_seconds(span.end_s - span.begin_s), format_seconds(begin));
}

std::string draw_row(const TimelineRow& row, double y, double seconds, Names& names) {
  std::string out = fmt::format(
      "<rect class=\"empty\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\"/>"
      "<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
      kLeft, y, kField, kThick, kLeft - 6, y + 11, escape_html(row.name));
  for (const TimelineSpan& span : joined(row.spans, seconds))
    out += draw_span(span, number_of(names, span.name), y, seconds);
  return out;
}

std::string draw_times(double y, double seconds) {
  std::string out;
  for (const double tick : round_ticks(seconds, 6)) {
    out += fmt::format(
        "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
        kLeft + tick / seconds * kField, y, tick == 0 ? "0" : format_seconds(tick));
  }
  return out;
}

}  // namespace

std::string draw_timeline(const std::string& title, std::span<const TimelineRow> rows,
                          double seconds) {
  if (rows.empty() || !(seconds > 0)) return figure(title, nothing_measured());
  Names names;
  std::string out;
  double y = kTop;
  for (const TimelineRow& row : rows) {
    out += draw_row(row, y, seconds, names);
    y += kRow;
  }
  out += draw_times(y + 12, seconds);
  return figure(title, legend(names) + "<div class=\"wide\">" +
                           picture(kWidth, y + kBottom, title, out) + "</div>\n");
}

}  // namespace seda::report
