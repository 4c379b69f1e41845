// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/terminal_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/base/utf8.h"
#include "seda/diagnose/bands.h"

namespace seda::diagnose {
namespace {

constexpr size_t kLabel = 6;
constexpr size_t kMostBar = 20;
constexpr size_t kLeastBar = 5;
constexpr size_t kMostSpark = 60;
constexpr size_t kLeastSpark = 8;
constexpr double kColumnSeconds = 1;  // that a column of a sparkline stands for
constexpr double kMeanSeconds = 1;    // that a figure is the mean of

using Samples = std::span<const WatchSample>;

/// One line of the view.
struct Gauge {
  std::string label;
  double share = kUnknown;  ///< Of the bar.
  std::string text;
  std::vector<double> series;  ///< Newest last.
  double top = 1;              ///< Of the series.
  std::optional<Band> band;    ///< Colour.
};

template <typename Value>
double recent_mean(Samples samples, double seconds, const Value& value_of) {
  double sum = 0;
  double count = 0;
  for (size_t i = samples.size(); i-- > 0;) {
    if (samples[i].seconds <= samples.back().seconds - seconds) break;
    const double value = value_of(samples[i]);
    if (!is_known(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / count : kUnknown;
}

/// A mean for each column of time, newest last.
template <typename Value>
std::vector<double> columns_of(Samples samples, const Value& value_of) {
  std::vector<double> out(kMostSpark, kUnknown);
  std::vector<double> counts(kMostSpark, 0);
  for (const WatchSample& sample : samples) {
    const double age = (samples.back().seconds - sample.seconds) / kColumnSeconds;
    const double value = value_of(sample);
    if (age >= kMostSpark || !is_known(value)) continue;
    const size_t at = kMostSpark - 1 - static_cast<size_t>(age);
    out[at] = (is_known(out[at]) ? out[at] * counts[at] : 0) + value;
    out[at] /= ++counts[at];
  }
  return out;
}

std::string percent(double share) {
  return is_known(share) ? fmt::format("{:.0f} %", 100 * share) : "?";
}

std::string bytes(double value) {
  return is_known(value) ? format_bytes(static_cast<uint64_t>(std::max(0.0, value))) : "?";
}

double largest(const std::vector<double>& values) {
  double top = 0;
  for (const double value : values)
    top = is_known(value) ? std::max(top, value) : top;
  return top > 0 ? top : 1;
}

Gauge gpu_use(const WatchRecord& record, size_t gpu) {
  const auto value = [gpu](const WatchSample& sample) { return sample.gpus[gpu].utilization; };
  Gauge gauge{.label = fmt::format("GPU {}", record.machine.gpus[gpu].index),
              .share = recent_mean(record.recent, kMeanSeconds, value),
              .text = {},
              .series = columns_of(record.recent, value),
              .band = {}};
  gauge.text = percent(gauge.share);
  if (is_known(gauge.share)) gauge.band = band(1 - gauge.share, kGpuIdleBounds);
  return gauge;
}

Gauge gpu_memory(const WatchRecord& record, size_t gpu) {
  const GpuPoint& now = record.recent.back().gpus[gpu];
  const auto total = record.machine.gpus[gpu].memory_total_bytes;
  Gauge gauge{.label = "  mem", .text = bytes(now.memory_bytes), .series = {}, .band = {}};
  if (total) gauge.share = now.memory_bytes / static_cast<double>(*total);
  if (is_known(now.power_w)) gauge.text += fmt::format("  {:.0f} W", now.power_w);
  if (is_known(now.temperature_c)) gauge.text += fmt::format("  {:.0f} °C", now.temperature_c);
  return gauge;
}

Gauge cores(const WatchRecord& record) {
  const bool own = record.has_process;
  const double all = own ? record.machine.usable_cores : record.machine.cores;
  const auto value = [&](const WatchSample& sample) {
    return own ? sample.host.cpu : sample.host.machine_cpu * record.machine.cores;
  };
  const double used = recent_mean(record.recent, kMeanSeconds, value);
  return {.label = "CPU",
          .share = used / all,
          .text = is_known(used) ? fmt::format("{:.1f} of {:.0f} cores", used, all) : "?",
          .series = columns_of(record.recent, value),
          .top = all,
          .band = {}};
}

Gauge memory(const WatchRecord& record) {
  const double total = record.machine.memory_total_bytes;
  const bool own = record.has_process;
  const auto value = [&](const WatchSample& sample) {
    return own ? sample.host.resident_bytes : total - sample.host.memory_available_bytes;
  };
  const double used = value(record.recent.back());
  std::vector<double> series = columns_of(record.recent, value);
  const double top = largest(series);
  return {.label = "RAM",
          .share = used / total,
          .text = bytes(used),
          .series = std::move(series),
          .top = top,
          .band = {}};
}

Gauge disk(const WatchRecord& record) {
  const auto busy = [](const WatchSample& sample) { return sample.host.disk_busy; };
  const double share = recent_mean(record.recent, kMeanSeconds, busy);
  const double read = recent_mean(record.recent, kMeanSeconds, [](const WatchSample& sample) {
    return sample.host.read_bytes_per_s;
  });
  std::string text = "busy " + percent(share);
  if (is_known(read)) text += "  " + bytes(read) + "/s";
  return {.label = "disk",
          .share = share,
          .text = std::move(text),
          .series = columns_of(record.recent, busy),
          .band = {}};
}

std::string bar(double share, size_t width, bool unicode) {
  const double part = is_known(share) ? std::clamp(share, 0.0, 1.0) : 0;
  const auto full = static_cast<size_t>(std::lround(part * static_cast<double>(width)));
  std::string out;
  for (size_t i = 0; i < full; ++i)
    out += unicode ? "█" : "#";
  return out + std::string(width - full, unicode ? ' ' : '.');
}

std::string colored(const std::string& text, std::optional<Band> band, bool color) {
  if (!color || !band) return text;
  constexpr std::array kCodes = {32, 33, 31};
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes.at(static_cast<size_t>(*band)), text);
}

/// At most so many columns.
std::string cut(std::string_view text, size_t width) {
  size_t at = 0;
  for (size_t count = 0; at < text.size() && count < width; ++count)
    at += std::max<size_t>(1, utf8_length(text, at));
  return std::string(text.substr(0, at));
}

std::string draw(const Gauge& gauge, const ViewOptions& options) {
  const auto width = static_cast<size_t>(std::max(1, options.width));
  std::string line = fmt::format("{:<{}}", cut(gauge.label, kLabel), kLabel);
  size_t left = width - std::min(width, kLabel);
  const size_t text = count_utf8(gauge.text);
  if (left >= text + kLeastBar + 3) {
    const size_t bar_width = std::clamp((left - text - 3) / 2, kLeastBar, kMostBar);
    line += "[" + colored(bar(gauge.share, bar_width, options.unicode), gauge.band, options.color) +
            "] ";
    left -= bar_width + 3;
  }
  line += cut(gauge.text, left);
  left -= std::min(left, text);
  constexpr size_t kAligned =
      26;  // sparklines of all lines begin in one column where there is room
  const size_t pad =
      text < kAligned && left > kAligned - text + 2 + kLeastSpark ? kAligned - text : 0;
  if (gauge.series.empty() || left < pad + 2 + kLeastSpark) return line;
  const size_t count = std::min(left - pad - 2, gauge.series.size());
  const auto newest = std::span(gauge.series).last(count);
  return line + std::string(pad + 2, ' ') + sparkline(newest, gauge.top, options.unicode);
}

std::vector<Gauge> gauges(const WatchRecord& record, size_t gpus) {
  std::vector<Gauge> out;
  for (size_t gpu = 0; gpu < gpus; ++gpu) {
    out.push_back(gpu_use(record, gpu));
    out.push_back(gpu_memory(record, gpu));
  }
  out.push_back(cores(record));
  out.push_back(memory(record));
  out.push_back(disk(record));
  return out;
}

}  // namespace

std::string sparkline(std::span<const double> values, double top, bool unicode) {
  constexpr std::array<const char*, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<const char*, 8> kPlain = {"_", ".", ":", "-", "=", "+", "*", "#"};
  std::string out;
  for (const double value : values) {
    if (!is_known(value)) {
      out += ' ';
      continue;
    }
    const double share = std::clamp(value / top, 0.0, 1.0);
    out += (unicode ? kBlocks : kPlain).at(static_cast<size_t>(std::lround(7 * share)));
  }
  return out;
}

std::vector<std::string> draw_watch(const WatchRecord& record, std::string_view so_far,
                                    const ViewOptions& options) {
  const auto width = static_cast<size_t>(std::max(1, options.width));
  const auto height = static_cast<size_t>(std::max(1, options.height));
  std::vector<std::string> lines = {
      cut(fmt::format("seda watch  {}", format_seconds(record.seconds)), width)};
  if (record.recent.empty()) return lines;
  constexpr size_t kOtherLines = 6;  // title, three gauges, GPUs left out, verdict
  const size_t all = record.machine.gpus.size();
  const size_t shown = std::min(all, height > kOtherLines ? (height - kOtherLines) / 2 : 0);
  if (all == 0) lines.push_back(cut("no GPU: " + record.machine.gpu_absence, width));
  for (const Gauge& gauge : gauges(record, shown))
    lines.push_back(draw(gauge, options));
  if (shown < all) lines.push_back(cut(fmt::format("and {} more GPUs", all - shown), width));
  if (!so_far.empty()) lines.push_back(cut(so_far, width));
  if (lines.size() > height) lines.resize(height);
  return lines;
}

std::string status_line(const WatchRecord& record) {
  if (record.recent.empty()) return "watch: no sample yet";
  std::string out = fmt::format("watch {}:", format_seconds(record.seconds));
  for (size_t gpu = 0; gpu < record.machine.gpus.size(); ++gpu)
    out += fmt::format(" GPU {} {},", gpu, gpu_use(record, gpu).text);
  return out + fmt::format(" CPU {}, RAM {}, disk {}", cores(record).text, memory(record).text,
                           disk(record).text);
}

}  // namespace seda::diagnose
