// SPDX-License-Identifier: Apache-2.0
#include "seda/report/line_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/report/axis.h"
#include "seda/report/figure.h"

namespace seda::report {
namespace {

constexpr size_t kMostPoints = 1000;
constexpr double kLogarithmicFrom = 20;  // largest / smallest
constexpr double kFarthest = 1e100;
constexpr double kWidth = 440;
constexpr double kHeight = 220;
constexpr double kLeft = 52;
constexpr double kRight = 14;
constexpr double kTop = 12;
constexpr double kBottom = 26;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Where values lie between 0 and 1, and which of them are written beside it.
struct Axis {
  double low = 0;  // logarithms where it is logarithmic
  double high = 1;
  bool logarithmic = false;
  std::vector<double> ticks;

  double place(double value) const {
    const double at = logarithmic ? std::log10(value) : value;
    return (at - low) / (high - low);
  }
};

/// Values that hardly differ are shown as one, in the lower half.
Axis linear_axis(Range range, int count) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low <= std::max(1e-300, 1e-6 * largest)) {
    range.high = range.low + std::max(1e-9, largest);
  }
  const double distance = round_distance(range.high - range.low, count);
  Axis axis;
  const double first = std::floor(range.low / distance + 1e-9);
  const double last = std::ceil(range.high / distance - 1e-9);
  axis.low = first * distance;
  axis.high = last * distance;
  for (double tick = first; tick <= last; ++tick)
    axis.ticks.push_back(tick * distance);
  return axis;
}

Axis logarithmic_axis(Range range) {
  Axis axis;
  axis.logarithmic = true;
  axis.low = std::log10(range.low);
  axis.high = std::log10(range.high);
  const bool wide = axis.high - axis.low > 3;
  for (double power = std::floor(axis.low); power <= axis.high; ++power) {
    for (const double times : {1.0, 2.0, 5.0}) {
      const double tick = times * std::pow(10, power);
      if (wide && times > 1) continue;
      if (tick >= range.low * 0.999 && tick <= range.high * 1.001) axis.ticks.push_back(tick);
    }
  }
  return axis;
}

Axis x_axis(const Range& range) {
  const double last = range.high > 0 ? range.high : 1;
  Axis axis = linear_axis({0, last}, 4);
  axis.high = last;
  std::erase_if(axis.ticks, [&](double tick) { return tick > axis.high; });
  return axis;
}

Axis value_axis(Range range, ChartScale scale) {
  if (scale == ChartScale::share) return linear_axis({0, std::max(range.high, 0.01)}, 4);
  if (scale == ChartScale::from_zero) {
    const bool all_zero = range.low == 0 && range.high == 0;
    return linear_axis({std::min(range.low, 0.0), all_zero ? 1 : range.high}, 4);
  }
  if (range.low > 0 && range.high > kLogarithmicFrom * range.low) return logarithmic_axis(range);
  return linear_axis(range, 4);
}

std::string value_text(double value, bool percent) {
  return percent ? fmt::format("{:.4g} %", 100 * value) : fmt::format("{:.4g}", value);
}

/// Short enough for the margin.
std::string tick_text(double value, bool percent) {
  const bool small = value != 0 && std::abs(value) < 1e-3;
  return small && !percent ? fmt::format("{:.1e}", value) : value_text(value, percent);
}

/// "12k", "1.5M".
std::string x_text(double x) {
  if (x >= 1e6) return fmt::format("{:.4g}M", x / 1e6);
  return x >= 1e4 ? fmt::format("{:.4g}k", x / 1e3) : fmt::format("{:.5g}", x);
}

/// Field of a chart between its two axes.
struct Field {
  Axis across;
  Axis values;
  bool percent = false;

  double x(double at) const { return kLeft + across.place(at) * (kWidth - kLeft - kRight); }
  double y(double value) const {
    return kTop + (1 - values.place(value)) * (kHeight - kTop - kBottom);
  }
};

std::string draw_axes(const Field& field) {
  std::string out;
  for (const double tick : field.values.ticks) {
    const double y = field.y(tick);
    out += fmt::format(
        "<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>"
        "<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        kLeft, y, kWidth - kRight, y, kLeft - 6, y + 4, tick_text(tick, field.percent));
  }
  for (const double tick : field.across.ticks) {
    out +=
        fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                    field.x(tick), kHeight - 8, x_text(tick));
  }
  return out;
}

std::string draw_dot(const Field& field, const Point& point, size_t number,
                     const std::string& name) {
  return fmt::format(
      "<circle class=\"dot line-{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{} at {}: "
      "{}</title></circle>\n",
      number, field.x(point.x), field.y(point.y), escape_html(name), point.x,
      value_text(point.y, field.percent));
}

std::string draw_line(const Field& field, const ChartLine& line, size_t number) {
  if (line.points.empty()) return {};
  std::string places;
  for (const Point& point : line.points) {
    places += fmt::format("{}{:.1f},{:.1f}", places.empty() ? "" : " ", field.x(point.x),
                          field.y(point.y));
  }
  std::string out =
      fmt::format("<polyline class=\"line line-{}\" points=\"{}\"/>\n", number, places);
  if (!line.dots) return out + draw_dot(field, line.points.back(), number, line.name);
  for (const Point& point : line.points)
    out += draw_dot(field, point, number, line.name);
  return out;
}

std::string draw_legend(std::span<const ChartLine> lines) {
  std::vector<std::string> names;
  names.reserve(lines.size());
  for (const ChartLine& line : lines)
    names.push_back(line.name);
  return legend(names);
}

/// A number, and not so large that its distance from another would be infinite.
bool can_be_drawn(const Point& point) {
  return std::abs(point.x) <= kFarthest && std::abs(point.y) <= kFarthest;
}

std::string draw_field(const ChartOptions& options, std::span<const ChartLine> lines) {
  Range x_range;
  Range values;
  for (const ChartLine& line : lines) {
    for (const Point& point : line.points) {
      x_range.add(point.x);
      values.add(point.y);
    }
  }
  if (x_range.high < x_range.low) return nothing_measured();
  const Field field{x_axis(x_range), value_axis(values, options.scale),
                    options.scale == ChartScale::share};
  std::string out = draw_axes(field);
  for (size_t i = 0; i < lines.size(); ++i)
    out += draw_line(field, lines[i], i + 1);
  return picture(kWidth, kHeight, options.title + " over " + options.over, out);
}

}  // namespace

Curve thin_out(const Curve& curve, size_t most) {
  const size_t group = (curve.size() + most - 1) / most;
  if (group <= 1) return curve;
  Curve out;
  for (size_t first = 0; first < curve.size(); first += group) {
    const size_t count = std::min(group, curve.size() - first);
    Point mean;
    for (size_t i = first; i < first + count; ++i) {
      mean.x += curve[i].x / static_cast<double>(count);
      mean.y += curve[i].y / static_cast<double>(count);
    }
    out.push_back(mean);
  }
  return out;
}

std::string draw_lines(const ChartOptions& options, std::span<const ChartLine> lines) {
  std::vector<ChartLine> shown(lines.begin(), lines.end());
  for (ChartLine& line : shown) {
    std::erase_if(line.points, [](const Point& point) { return !can_be_drawn(point); });
    line.points = thin_out(line.points, kMostPoints);
  }
  return figure(options.title, draw_legend(lines) + draw_field(options, shown));
}

}  // namespace seda::report
