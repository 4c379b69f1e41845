// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/clip_lengths.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "seda/base/error.h"

namespace seda::feed {
namespace {

int32_t narrow(int64_t length) {
  return static_cast<int32_t>(std::min<int64_t>(length, std::numeric_limits<int32_t>::max()));
}

/// A whole clip under no limit.
ClipLength whole(const ClipRow& row, const audio::MelOptions& mel) {
  const int64_t frames = audio::mel_frames(mel, static_cast<int64_t>(row.samples));
  return {0, narrow(row.tokens), narrow(frames)};
}

/// Leaves the clip out or cuts it where it is too long, and counts that.
std::optional<ClipLength> fit(const ClipRow& row, ClipLength length, const LengthLimits& limits,
                              LengthReport& report) {
  const bool long_text = row.symbols > static_cast<uint32_t>(limits.max_symbols);
  const bool long_mel = length.frames > limits.max_frames;
  if (limits.overlong == Overlong::skip && (long_text || long_mel)) {
    ++(long_text ? report.skipped_text : report.skipped_mel);
    return std::nullopt;
  }
  if (long_text) {
    ++report.cut_text;
    length.tokens = tokens_of(limits.max_symbols, row.tokens > row.symbols);
  }
  if (long_mel) {
    ++report.cut_mel;
    length.frames = limits.max_frames;
  }
  return length;
}

/// The clip as it is fed; none where it is not, counted by reason.
std::optional<ClipLength> length_of(const ClipRow& row, const audio::MelOptions& mel,
                                    const LengthLimits& limits, LengthReport& report) {
  if (row.symbols == 0) {
    ++report.silent;
    return std::nullopt;
  }
  const ClipLength length = whole(row, mel);
  if (!row.is_usable() || length.frames == 0) {
    ++report.unusable;
    return std::nullopt;
  }
  return fit(row, length, limits, report);
}

}  // namespace

ClipLengths clip_lengths(std::span<const ClipRow> rows, dataset::Split split,
                         const audio::MelOptions& mel, const LengthLimits& limits) {
  ClipLengths out;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].split != static_cast<uint32_t>(split)) continue;
    if (auto length = length_of(rows[i], mel, limits, out.report)) {
      length->row = static_cast<uint32_t>(i);
      out.clips.push_back(*length);
    }
  }
  out.report.clips = out.clips.size();
  return out;
}

void require_clips(std::span<const ClipLength> lengths) {
  if (!lengths.empty()) return;
  throw_error(ErrorKind::check_failed,
              "expected clips to feed, found none; run `seda prepare` on the corpus and read which "
              "clips it sets aside, or raise data.max_text_length and data.max_mel_frames, or set "
              "data.overlong to truncate");
}

int tokens_of(int symbols, bool add_blank) {
  return add_blank ? 2 * symbols + 1 : symbols;
}

}  // namespace seda::feed
