// SPDX-License-Identifier: Apache-2.0
#include "seda/model/align_cpu.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "seda/base/parallel.h"

namespace seda::model {
namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();
constexpr size_t kStrip = 16;  // frames turned around at a time: a cache line of each row
constexpr size_t kApart = 16;  // keeps lines of a strip from falling into one set of the cache

/// One clip's part of the arrays.
struct Clip {
  const float* log_likelihood = nullptr;  // [tokens, row]
  int32_t* durations = nullptr;           // [row_tokens]
  uint8_t* path = nullptr;                // [row_tokens, row], may be null
  size_t row = 0;
  size_t row_tokens = 0;
  size_t tokens = 0;
  size_t frames = 0;
};

size_t clamped(int32_t length, int most) {
  return static_cast<size_t>(std::clamp(length, 0, most));
}

Clip clip_of(const AlignInput& input, const AlignOutput& output, size_t i) {
  const auto row = static_cast<size_t>(input.frames);
  const auto row_tokens = static_cast<size_t>(input.tokens);
  const size_t begin = i * row_tokens * row;
  return {.log_likelihood = input.log_likelihood + begin,
          .durations = output.durations + i * row_tokens,
          .path = output.path == nullptr ? nullptr : output.path + begin,
          .row = row,
          .row_tokens = row_tokens,
          .tokens = clamped(input.token_lengths[i], input.tokens),
          .frames = clamped(input.frame_lengths[i], input.frames)};
}

bool has_path(const Clip& clip) {
  return clip.frames >= clip.tokens && (clip.tokens > 0 || clip.frames == 0);
}

/// Best sums at one frame, from those at the frame before. `before[s]` and `before[s + 1]` are of
/// the token above and of token s itself.
void advance_frame(const float* values, const float* before, float* now, uint8_t* advances,
                   size_t tokens) {
  for (size_t s = 0; s < tokens; ++s) {
    const float value = values[s] < -kImpossible ? values[s] : kImpossible;
    const bool advance = before[s] > before[s + 1];
    now[s + 1] = value + (advance ? before[s] : before[s + 1]);
    advances[s] = advance ? 1 : 0;
  }
}

/// Finds one clip after another; its memory grows to the largest.
class Search {
 public:
  void run(const Clip& clip) {
    std::fill_n(clip.durations, clip.row_tokens, 0);
    if (has_path(clip)) {
      sum_forward(clip);
      walk_back(clip);
    } else {
      std::fill_n(clip.durations, std::min(clip.tokens, clip.frames), 1);
    }
    if (clip.path != nullptr) write_path(clip);
  }

 private:
  void sum_forward(const Clip& clip) {
    strip_row_ = clip.tokens + kApart;
    strip_.resize(kStrip * strip_row_);
    advances_.resize(clip.frames * clip.tokens);
    now_.assign(clip.tokens + 1, kImpossible);
    before_.assign(clip.tokens + 1, kImpossible);
    before_[0] = 0;  // where every path begins
    for (size_t t = 0; t < clip.frames; ++t) {
      if (t % kStrip == 0) turn_strip(clip, t);
      advance_frame(&strip_[t % kStrip * strip_row_], before_.data(), now_.data(),
                    &advances_[t * clip.tokens], clip.tokens);
      std::swap(before_, now_);
      now_[0] = kImpossible;
    }
  }

  /// Frames from `begin` on as [frame, token].
  void turn_strip(const Clip& clip, size_t begin) {
    const size_t count = std::min(kStrip, clip.frames - begin);
    for (size_t s = 0; s < clip.tokens; ++s) {
      const float* row = clip.log_likelihood + s * clip.row + begin;
      for (size_t t = 0; t < count; ++t)
        strip_[t * strip_row_ + s] = row[t];
    }
  }

  /// A token that is as far as its frame can only have advanced, the first only have stayed,
  /// whatever the sums say.
  void walk_back(const Clip& clip) const {
    if (clip.frames == 0) return;
    size_t s = clip.tokens - 1;
    for (size_t t = clip.frames - 1;; --t) {
      ++clip.durations[s];
      if (t == 0) return;
      if (s == t || (s > 0 && advances_[t * clip.tokens + s] != 0)) --s;
    }
  }

  static void write_path(const Clip& clip) {
    std::fill_n(clip.path, clip.row_tokens * clip.row, uint8_t{0});
    size_t begin = 0;
    for (size_t s = 0; s < clip.tokens; ++s) {
      const auto duration = static_cast<size_t>(clip.durations[s]);
      std::fill_n(clip.path + s * clip.row + begin, duration, uint8_t{1});
      begin += duration;
    }
  }

  size_t strip_row_ = 0;
  std::vector<float> strip_;  // [kStrip, strip_row_]
  std::vector<float> now_;    // [1 + tokens] The first stands above the first token.
  std::vector<float> before_;
  std::vector<uint8_t> advances_;  // [frames, tokens]
};

}  // namespace

void align_cpu(const AlignInput& input, const AlignOutput& output, int threads) {
  const auto batch = static_cast<size_t>(input.batch);
  const auto body = [&](size_t begin, size_t end) {
    Search search;
    for (size_t i = begin; i < end; ++i) {
      const Clip clip = clip_of(input, output, i);
      search.run(clip);
      if (output.status != nullptr)
        output.status[i] = has_path(clip) ? AlignStatus::aligned : AlignStatus::no_path;
    }
  };
  parallel_for(batch, {.threads = threads, .name = "align"}, body);
}

}  // namespace seda::model
