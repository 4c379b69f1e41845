// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "seda/audio/color_map.h"
#include "seda/audio/mel_tables.h"

namespace seda::audio {
namespace {

constexpr int kScale = 2;  // of the font
constexpr int kLine = 7 * kScale;
constexpr int kTick = 6;
constexpr int kLeft = 84;
constexpr int kTop = 60;
constexpr int kLabelGap = 12;  // between the name of an axis and its field
constexpr int kBottom = 56;
constexpr int kRight = 132;
constexpr int kBarGap = 24;
constexpr int kBarWidth = 20;
constexpr int kWantedWidth = 900;
constexpr int kMostColumns = 8000;
constexpr int kWantedHeight = 320;

constexpr size_t kShades = 254;
constexpr uint8_t kInk = 254;
constexpr uint8_t kPaper = 255;

std::vector<Color> colors() {
  std::vector<Color> list;
  list.reserve(kShades + 2);
  for (size_t i = 0; i < kShades; ++i)
    list.push_back(map_color(static_cast<double>(i) / (kShades - 1)));
  list.push_back({40, 40, 48});
  list.push_back({255, 255, 255});
  return list;
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`.
double nice_step(double least) {
  double power = std::pow(10, std::floor(std::log10(least)));
  for (;; power *= 10) {
    for (const double step : {power, 2 * power, 5 * power}) {
      if (step >= least * (1 - 1e-9)) return step;
    }
  }
}

/// Values between two, and the colours that stand for them.
struct Range {
  double low = 0;
  double high = 1;

  uint8_t shade(double value) const {
    const double share = (value - low) / (high - low);
    return static_cast<uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * (kShades - 1)));
  }
};

Range range_of(std::span<const float> mel) {
  const auto [low, high] = std::ranges::minmax(mel);
  return {low, high > low ? high : low + 1.0};
}

/// Where a frequency lies between the edges of the bands, by their number.
double edge_position(const std::vector<double>& edges, double hz) {
  const auto above = std::ranges::upper_bound(edges, hz);
  if (above == edges.begin()) return 0;
  if (above == edges.end()) return static_cast<double>(edges.size() - 1);
  const double low = *(above - 1);
  return static_cast<double>(above - edges.begin() - 1) + (hz - low) / (*above - low);
}

/// Draws one mel.
class Drawing {
 public:
  Drawing(std::span<const float> mel, const MelOptions& options)
      : mel_(mel),
        options_(options),
        frames_(mel.size() / static_cast<size_t>(options.n_mels)),
        layout_(lay_out(options, frames_)),
        range_(range_of(mel)),
        picture_(layout_.left + layout_.width + kRight, layout_.top + layout_.height + kBottom,
                 colors()) {
    picture_.fill(0, 0, picture_.width(), picture_.height(), kPaper);
  }

  Picture run(std::string_view title) {
    const auto room = static_cast<size_t>((picture_.width() - kLeft) / (6 * kScale));
    picture_.write(layout_.left, kTick, title.substr(0, room), kInk, kScale);
    frame(layout_.left, layout_.width);
    field();
    seconds();
    frequencies();
    bar();
    return std::move(picture_);
  }

 private:
  int bottom() const { return layout_.top + layout_.height; }

  /// A line around a field over the whole height.
  void frame(int left, int width) {
    picture_.fill(left - 1, layout_.top - 1, width + 2, layout_.height + 2, kInk);
  }

  void field() {
    for (int band = 0; band < options_.n_mels; ++band) {
      const int y = bottom() - (band + 1) * layout_.band_pixels;
      for (int column = 0; column * layout_.frame_pixels < layout_.width; ++column) {
        picture_.fill(layout_.left + column * layout_.frame_pixels, y, layout_.frame_pixels,
                      layout_.band_pixels, range_.shade(value(band, column)));
      }
    }
  }

  /// Mean of the frames of a column.
  double value(int band, int column) const {
    const auto step = static_cast<size_t>(layout_.frames_per_column);
    const size_t begin = static_cast<size_t>(column) * step;
    const size_t end = std::min(begin + step, frames_);
    const float* row = mel_.data() + static_cast<size_t>(band) * frames_;
    double sum = 0;
    for (size_t t = begin; t < end; ++t)
      sum += row[t];
    return sum / static_cast<double>(end - begin);
  }

  void seconds() {
    constexpr double kLabelPixels = 72;
    const double step =
        nice_step(kLabelPixels / (layout_.columns_per_second * layout_.frame_pixels));
    for (int i = 0;; ++i) {
      const int x = layout_.column(i * step);
      if (x >= layout_.left + layout_.width) break;
      picture_.fill(x, bottom() + 1, 2, kTick, kInk);
      const std::string label = fmt::format("{:.6g}", i * step);
      picture_.write(x + 1 - text_width(label, kScale) / 2, bottom() + kTick + 4, label, kInk,
                     kScale);
    }
    picture_.write(layout_.left + layout_.width / 2, bottom() + kTick + 8 + kLine, "s", kInk,
                   kScale);
  }

  void frequencies() {
    picture_.write(layout_.left - kTick - text_width("Hz", kScale), layout_.top - kLine - kLabelGap,
                   "Hz", kInk, kScale);
    int last = picture_.height();
    for (const int hz : {0,    100,  200,  300,  500,   700,   1000,  1500,  2000,  3000,
                         4000, 5000, 6000, 8000, 10000, 12000, 16000, 20000, 24000, 48000}) {
      if (hz < options_.fmin || hz > options_.fmax) continue;
      const int y = layout_.row(options_, hz);
      if (last - y < kLine + 4) continue;
      last = y;
      row_label(layout_.left - 1, y, fmt::format("{}", hz));
    }
  }

  /// A tick to the left of x, and its label.
  void row_label(int x, int y, const std::string& label) {
    picture_.fill(x - kTick, y, kTick, 2, kInk);
    picture_.write(x - kTick - 4 - text_width(label, kScale), y + 1 - kLine / 2, label, kInk,
                   kScale);
  }

  void bar() {
    const int left = layout_.left + layout_.width + kBarGap;
    frame(left, kBarWidth);
    for (int y = 0; y < layout_.height; ++y) {
      const double share = 1 - (y + 0.5) / layout_.height;
      picture_.fill(left, layout_.top + y, kBarWidth, 1,
                    range_.shade(range_.low + share * (range_.high - range_.low)));
    }
    picture_.write(left, layout_.top - kLine - kLabelGap,
                   options_.compression == Compression::log ? "log" : "log10", kInk, kScale);
    bar_labels(left + kBarWidth + 1);
  }

  void bar_labels(int x) {
    const double span = range_.high - range_.low;
    const double step = nice_step(span * 2 * kLine / layout_.height);
    for (double value = std::ceil(range_.low / step) * step; value <= range_.high; value += step) {
      const double share = (value - range_.low) / span;
      const int y = bottom() - 1 - static_cast<int>(std::lround(share * (layout_.height - 1)));
      picture_.fill(x, y, kTick, 2, kInk);
      const double shown = std::abs(value) < step / 2 ? 0 : value;
      picture_.write(x + kTick + 4, y + 1 - kLine / 2, fmt::format("{:.4g}", shown), kInk, kScale);
    }
  }

  std::span<const float> mel_;
  const MelOptions& options_;
  size_t frames_;
  MelLayout layout_;
  Range range_;
  Picture picture_;
};

}  // namespace

int MelLayout::row(const MelOptions& options, double hz) const {
  const double band = edge_position(mel_edges(options), hz) - 1;
  const double up = std::clamp((band + 0.5) * band_pixels, 0.0, height - 1.0);
  return top + height - 1 - static_cast<int>(up);
}

int MelLayout::column(double seconds) const {
  return left + static_cast<int>((first_column + seconds * columns_per_second) * frame_pixels);
}

MelLayout lay_out(const MelOptions& options, size_t frames) {
  MelLayout layout;
  layout.left = kLeft;
  layout.top = kTop;
  layout.frames_per_column = static_cast<int>((frames + kMostColumns - 1) / kMostColumns);
  const auto per_column = static_cast<size_t>(layout.frames_per_column);
  const auto columns = static_cast<int>((frames + per_column - 1) / per_column);
  layout.frame_pixels = std::clamp(kWantedWidth / columns, 1, 64);
  layout.band_pixels = std::max(1, kWantedHeight / options.n_mels);
  layout.width = columns * layout.frame_pixels;
  layout.height = options.n_mels * layout.band_pixels;
  layout.columns_per_second =
      static_cast<double>(options.sample_rate) / options.hop_length / layout.frames_per_column;
  // The middle of frame 0 is at 0, or half a hop after it.
  layout.first_column = options.center ? 0.5 / layout.frames_per_column : 0;
  return layout;
}

Picture draw_mel(std::span<const float> mel, const MelOptions& options, std::string_view title) {
  return Drawing(mel, options).run(title);
}

}  // namespace seda::audio
