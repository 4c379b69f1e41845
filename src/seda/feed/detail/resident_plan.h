// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "seda/feed/clip_lengths.h"
#include "seda/feed/clip_source.h"

namespace seda::feed::detail {

/// Elements: samples or floats of mels, and tokens.
struct ResidentRoom {
  int64_t sound = 0;
  int64_t tokens = 0;
};

/// Clips that are brought to the device together. Their sounds and their tokens follow one another.
struct ResidentRun {
  size_t first = 0;    ///< Their first clip.
  size_t end = 0;      ///< One beyond their last clip.
  ResidentRoom begin;  ///< Where their first elements lie.
  ResidentRoom size;
};

/// Where each clip of a resident corpus has its place.
struct ResidentPlan {
  std::vector<ResidentRoom> begins;  ///< [clips]
  std::vector<ResidentRun> runs;     ///< Cover all clips, in order.
  ResidentRoom size;
};

/// What a clip may take.
ResidentRoom room_of(const ClipLength& clip, AudioKind kind, const audio::MelOptions& mel);

/// Runs hold at most `run_bytes`, or one clip.
ResidentPlan plan_resident(const ClipSource& source, std::span<const ClipLength> clips,
                           size_t run_bytes);

size_t sound_bytes(const ResidentRoom& room, AudioKind kind);
size_t token_bytes(const ResidentRoom& room);

}  // namespace seda::feed::detail
