// SPDX-License-Identifier: Apache-2.0
#include "seda/train/curve_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "seda/base/html.h"

namespace seda::train {
namespace {

constexpr size_t kMostPoints = 1000;
constexpr double kLogarithmicFrom = 20;  // largest / smallest
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

/// 1, 2 or 5 times a power of ten, so that `span` has about `count` of them.
double round_distance(double span, int count) {
  const double raw = span / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (raw <= times * power * 1.0001) return times * power;
  }
  return 10 * power;
}

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

Axis step_axis(const Range& range) {
  const double last = std::max(range.high, 1.0);
  Axis axis = linear_axis({0, last}, 4);
  axis.high = last;
  std::erase_if(axis.ticks, [&](double tick) { return tick > axis.high; });
  return axis;
}

Axis value_axis(Range range, ChartScale scale) {
  if (scale == ChartScale::share) return linear_axis({0, std::max(range.high, 0.01)}, 4);
  if (scale == ChartScale::from_zero) return linear_axis({std::min(range.low, 0.0), range.high}, 4);
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
std::string step_text(double step) {
  if (step >= 1e6) return fmt::format("{:.4g}M", step / 1e6);
  return step >= 1e4 ? fmt::format("{:.4g}k", step / 1e3) : fmt::format("{:.5g}", step);
}

/// Field of a chart between its two axes.
struct Field {
  Axis steps;
  Axis values;
  bool percent = false;

  double x(double step) const { return kLeft + steps.place(step) * (kWidth - kLeft - kRight); }
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
  for (const double tick : field.steps.ticks) {
    out +=
        fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                    field.x(tick), kHeight - 8, step_text(tick));
  }
  return out;
}

std::string draw_dot(const Field& field, const HistoryPoint& point, size_t number,
                     const std::string& name) {
  return fmt::format(
      "<circle class=\"dot line-{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{} at step {}: "
      "{}</title></circle>\n",
      number, field.x(point.step), field.y(point.value), escape_html(name), point.step,
      value_text(point.value, field.percent));
}

std::string draw_line(const Field& field, const ChartLine& line, size_t number) {
  if (line.points.empty()) return {};
  std::string places;
  for (const HistoryPoint& point : line.points) {
    places += fmt::format("{}{:.1f},{:.1f}", places.empty() ? "" : " ", field.x(point.step),
                          field.y(point.value));
  }
  std::string out =
      fmt::format("<polyline class=\"line line-{}\" points=\"{}\"/>\n", number, places);
  if (!line.dots) return out + draw_dot(field, line.points.back(), number, line.name);
  for (const HistoryPoint& point : line.points)
    out += draw_dot(field, point, number, line.name);
  return out;
}

std::string draw_legend(std::span<const ChartLine> lines) {
  if (lines.size() < 2) return {};
  std::string out = "<p class=\"legend\">";
  for (size_t i = 0; i < lines.size(); ++i)
    out += fmt::format("<span class=\"key line-{}\"></span>{} ", i + 1, escape_html(lines[i].name));
  return out + "</p>\n";
}

std::string draw_field(const std::string& title, std::span<const ChartLine> lines,
                       ChartScale scale) {
  Range steps;
  Range values;
  for (const ChartLine& line : lines) {
    for (const HistoryPoint& point : line.points) {
      steps.add(point.step);
      values.add(point.value);
    }
  }
  if (steps.high < steps.low) return "<p class=\"none\">nothing was logged</p>\n";
  const Field field{step_axis(steps), value_axis(values, scale), scale == ChartScale::share};
  std::string out =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} over steps\">\n{}",
                  kWidth, kHeight, escape_html(title), draw_axes(field));
  for (size_t i = 0; i < lines.size(); ++i)
    out += draw_line(field, lines[i], i + 1);
  return out + "</svg>\n";
}

}  // namespace

Curve thin_out(const Curve& curve, size_t most) {
  const size_t group = (curve.size() + most - 1) / most;
  if (group <= 1) return curve;
  Curve out;
  for (size_t first = 0; first < curve.size(); first += group) {
    const size_t count = std::min(group, curve.size() - first);
    HistoryPoint mean;
    for (size_t i = first; i < first + count; ++i) {
      mean.step += curve[i].step / static_cast<double>(count);
      mean.value += curve[i].value / static_cast<double>(count);
    }
    out.push_back(mean);
  }
  return out;
}

std::string draw_chart(const std::string& title, std::span<const ChartLine> lines,
                       ChartScale scale) {
  std::vector<ChartLine> shown(lines.begin(), lines.end());
  for (ChartLine& line : shown)
    line.points = thin_out(line.points, kMostPoints);
  return fmt::format("<figure class=\"chart\">\n<figcaption>{}</figcaption>\n{}{}</figure>\n",
                     escape_html(title), draw_legend(lines), draw_field(title, shown, scale));
}

}  // namespace seda::train
