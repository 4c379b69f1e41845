// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/detail/resident_plan.h"

#include "seda/feed/pack_sound.h"
#include "seda/feed/samples_needed.h"

namespace seda::feed::detail {
namespace {

void add(ResidentRoom& sum, const ResidentRoom& room) {
  sum.sound += room.sound;
  sum.tokens += room.tokens;
}

size_t all_bytes(const ResidentRoom& room, AudioKind kind) {
  return sound_bytes(room, kind) + token_bytes(room);
}

}  // namespace

ResidentRoom room_of(const ClipLength& clip, AudioKind kind, const audio::MelOptions& mel) {
  const int64_t sound = kind == AudioKind::pcm16 ? samples_needed(mel, clip.frames)
                                                 : int64_t{mel.n_mels} * clip.frames;
  return {sound, clip.tokens};
}

ResidentPlan plan_resident(const ClipSource& source, std::span<const ClipLength> clips,
                           size_t run_bytes) {
  ResidentPlan plan;
  for (size_t i = 0; i < clips.size(); ++i) {
    const ResidentRoom room = room_of(clips[i], source.kind(), source.mel());
    const bool fits = !plan.runs.empty() && all_bytes(plan.runs.back().size, source.kind()) +
                                                    all_bytes(room, source.kind()) <=
                                                run_bytes;
    if (!fits) plan.runs.push_back({i, i, plan.size, {}});
    plan.begins.push_back(plan.size);
    plan.runs.back().end = i + 1;
    add(plan.runs.back().size, room);
    add(plan.size, room);
  }
  return plan;
}

size_t sound_bytes(const ResidentRoom& room, AudioKind kind) {
  return static_cast<size_t>(room.sound) * element_bytes(kind);
}

size_t token_bytes(const ResidentRoom& room) {
  return static_cast<size_t>(room.tokens) * sizeof(int32_t);
}

}  // namespace seda::feed::detail
