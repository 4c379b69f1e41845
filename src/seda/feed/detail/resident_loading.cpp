// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/detail/resident_loading.h"

#include <algorithm>
#include <utility>

#include "seda/base/interrupt.h"
#include "seda/device/copy.h"
#include "seda/feed/pack_sound.h"
#include "seda/feed/row_writer.h"
#include "seda/feed/sound_faults.h"

namespace seda::feed::detail {
namespace {

constexpr int kSeatsForEachThread = 2;  // one is read into while the other is copied

size_t largest_run(const ResidentTask& task) {
  size_t bytes = 0;
  for (const ResidentRun& run : task.plan.runs)
    bytes = std::max(bytes, sound_bytes(run.size, task.source.kind()) + token_bytes(run.size));
  return bytes;
}

}  // namespace

ResidentLoading::ResidentLoading(const ResidentTask& task, const ResidentMemory& memory,
                                 int threads)
    : task_(task), stream_(memory.stream), staged_(!memory.resource.device().is_cpu()) {
  const size_t bytes = staged_ ? largest_run(task) : 0;
  const MutexLock lock(mutex_);
  for (int i = 0; i < kSeatsForEachThread * threads; ++i) {
    seats_.push_back(std::make_unique<Seat>(Seat{task.source.make_reader(),
                                                 device::Buffer(bytes, memory.staging, stream_),
                                                 device::Event(stream_)}));
  }
}

void ResidentLoading::bring(const ResidentRun& run) {
  std::unique_ptr<Seat> seat = take_seat();
  const RunMemory memory = memory_of(run, *seat);
  read(run, memory, *seat->reader);
  if (staged_) {
    copy(run, memory);
    seat->copied.record(stream_);
  }
  give_back(std::move(seat));
}

/// The one given back longest ago, once it was copied.
std::unique_ptr<ResidentLoading::Seat> ResidentLoading::take_seat() {
  std::unique_ptr<Seat> seat;
  {
    const MutexLock lock(mutex_);
    seat = std::move(seats_.front());
    seats_.pop_front();
  }
  seat->copied.synchronize();
  return seat;
}

void ResidentLoading::give_back(std::unique_ptr<Seat> seat) {
  const MutexLock lock(mutex_);
  seats_.push_back(std::move(seat));
}

/// Tokens come first in staging memory: whatever follows them is aligned.
ResidentLoading::RunMemory ResidentLoading::memory_of(const ResidentRun& run,
                                                      const Seat& seat) const {
  if (staged_) {
    auto* const base = static_cast<std::byte*>(seat.staging.data());
    return {base + token_bytes(run.size), seat.staging.as<int32_t>().data()};
  }
  return {
      static_cast<std::byte*>(task_.sounds.data()) + sound_bytes(run.begin, task_.source.kind()),
      task_.tokens.as<int32_t>().data() + run.begin.tokens};
}

void ResidentLoading::read(const ResidentRun& run, const RunMemory& to, ClipReader& reader) {
  for (size_t i = run.first; i < run.end; ++i) {
    throw_if_interrupted();
    std::optional<Fault> fault = reader.fetch(task_.clips[i].row);
    if (!fault) {
      const Result<ClipContent> content = reader.content();
      fault = content ? write(content.value(), run, to, i) : content.fault();
    }
    if (fault) keep(task_.clips[i].row, *std::move(fault));
  }
}

std::optional<Fault> ResidentLoading::write(const ClipContent& content, const ResidentRun& run,
                                            const RunMemory& to, size_t clip) {
  const ClipLength& length = task_.clips[clip];
  const audio::MelOptions& mel = task_.source.mel();
  const int frames = fed_frames(content, mel, length.frames);
  if (frames == 0) {
    Fault fault = too_short(content.samples.size(), mel);
    fault.id = task_.source.id(length.row);
    return fault;
  }
  const auto tokens = std::min(content.tokens.size(), static_cast<size_t>(length.tokens));
  const ResidentRoom begin = task_.plan.begins[clip];
  const ResidentRoom within{begin.sound - run.begin.sound, begin.tokens - run.begin.tokens};
  std::byte* const sound = to.sounds + sound_bytes(within, task_.source.kind());
  std::ranges::copy(content.tokens.first(tokens), to.tokens + within.tokens);
  task_.places[length.row] = {.sound_offset = begin.sound,
                              .token_offset = begin.tokens,
                              .sound_length = pack_sound(content, mel, frames, sound),
                              .frames = frames,
                              .tokens = static_cast<int32_t>(tokens)};
  return std::nullopt;
}

void ResidentLoading::copy(const ResidentRun& run, const RunMemory& from) const {
  const AudioKind kind = task_.source.kind();
  device::copy(task_.sounds.location(sound_bytes(run.begin, kind)), device::on_host(from.sounds),
               sound_bytes(run.size, kind), stream_);
  device::copy(task_.tokens.location(token_bytes(run.begin)), device::on_host(from.tokens),
               token_bytes(run.size), stream_);
}

void ResidentLoading::keep(uint32_t row, Fault fault) {
  const MutexLock lock(mutex_);
  faults_.push_back({row, std::move(fault)});
}

std::vector<ResidentFault> ResidentLoading::take_faults() {
  const MutexLock lock(mutex_);
  std::ranges::sort(faults_, {}, &ResidentFault::row);
  return std::exchange(faults_, {});
}

}  // namespace seda::feed::detail
