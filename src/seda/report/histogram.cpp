// SPDX-License-Identifier: Apache-2.0
#include "seda/report/histogram.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/report/axis.h"
#include "seda/report/figure.h"

namespace seda::report {
namespace {

constexpr size_t kMostBins = 30;
constexpr double kWidth = 440;
constexpr double kHeight = 200;
constexpr double kLeft = 40;
constexpr double kRight = 14;
constexpr double kTop = 14;
constexpr double kBottom = 26;
constexpr double kFarAbove = 1.5;  // of the 99th percentile
constexpr int kFewDigits = 4;
constexpr int kManyDigits = 7;
constexpr double kTellable = 1.01;  // ends of a range, with few digits

double quantile(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<size_t>(std::floor(share * last))];
}

/// Values lie between the first bin's low end and the last one's high end, which may be wider than
/// the others: bins are drawn equally wide.
double place(const std::vector<Bin>& bins, double value) {
  for (size_t i = 0; i < bins.size(); ++i) {
    const Bin& bin = bins[i];
    if (value >= bin.high && i + 1 < bins.size()) continue;
    const double inside = std::clamp((value - bin.low) / (bin.high - bin.low), 0.0, 1.0);
    return (static_cast<double>(i) + inside) / static_cast<double>(bins.size());
  }
  return 1;
}

std::string draw_bin(const Bin& bin, double x, double width, double share,
                     const std::string& unit) {
  const double height = share * (kHeight - kTop - kBottom);
  return fmt::format(
      "<rect class=\"fill line-1\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
      "<title>{:.4g} to {:.4g} {}: {}</title></rect>\n",
      x, kHeight - kBottom - height, std::max(1.0, width - 1), height, bin.low, bin.high,
      escape_html(unit), bin.count);
}

std::string draw_counts(size_t largest) {
  std::string out;
  for (const double tick : round_ticks(static_cast<double>(largest), 4)) {
    const double y =
        kHeight - kBottom - tick / static_cast<double>(largest) * (kHeight - kTop - kBottom);
    out += fmt::format(
        "<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>"
        "<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n",
        kLeft, y, kWidth - kRight, y, kLeft - 6, y + 4, tick);
  }
  return out;
}

std::string draw_ends(const std::vector<Bin>& bins, const std::string& unit) {
  const auto text = [](double x, const char* anchor, const std::string& words) {
    return fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x,
                       kHeight - 8, anchor, escape_html(words));
  };
  const double low = bins.front().low;
  const double high = bins.back().high;
  const int digits = high < low * kTellable ? kManyDigits : kFewDigits;
  return text(kLeft, "start", fmt::format("{:.{}g}", low, digits)) +
         text(kWidth - kRight, "end", fmt::format("{:.{}g} {}", high, digits, unit));
}

std::string draw_median(const std::vector<Bin>& bins, double median, const std::string& unit) {
  const double x = kLeft + place(bins, median) * (kWidth - kLeft - kRight);
  const bool right = x > kWidth / 2;
  return fmt::format(
      "<line class=\"mark\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>"
      "<text class=\"tick\" x=\"{3:.1f}\" y=\"{1}\" text-anchor=\"{4}\">median {5:.4g} "
      "{6}</text>\n",
      x, kTop - 2, kHeight - kBottom, x + (right ? -5 : 5), right ? "end" : "start", median,
      escape_html(unit));
}

}  // namespace

std::vector<Bin> bin_values(std::span<const double> values, size_t most) {
  if (values.empty()) return {};
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double most_of_them = quantile(sorted, 0.99);
  const bool far = sorted.back() > kFarAbove * most_of_them;
  const double span = std::max((far ? most_of_them : sorted.back()) - sorted.front(),
                               1e-3 * std::max(1e-9, std::abs(sorted.back())));
  const double width = round_distance(span, static_cast<int>(most) - 2);
  const double first = std::floor(sorted.front() / width);
  std::vector<Bin> out;
  for (const double value : sorted) {
    while (out.empty() || (value >= out.back().high && out.size() < most)) {
      const double low = (first + static_cast<double>(out.size())) * width;
      out.push_back({low, low + width, 0});
    }
    out.back().high = std::max(out.back().high, value);
    ++out.back().count;
  }
  return out;
}

std::string draw_histogram(const HistogramOptions& options, std::span<const double> values) {
  const std::vector<Bin> bins = bin_values(values, kMostBins);
  if (bins.empty()) return figure(options.title, nothing_measured());
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const size_t largest = std::ranges::max(bins, {}, &Bin::count).count;
  const double width = (kWidth - kLeft - kRight) / static_cast<double>(bins.size());
  std::string out = draw_counts(largest);
  for (size_t i = 0; i < bins.size(); ++i) {
    out +=
        draw_bin(bins[i], kLeft + static_cast<double>(i) * width, width,
                 static_cast<double>(bins[i].count) / static_cast<double>(largest), options.unit);
  }
  out += draw_ends(bins, options.unit) + draw_median(bins, quantile(sorted, 0.5), options.unit);
  const std::string note =
      options.note.empty() ? ""
                           : fmt::format("<p class=\"legend\">{}</p>\n", escape_html(options.note));
  return figure(options.title, note + picture(kWidth, kHeight, options.title, out));
}

}  // namespace seda::report
