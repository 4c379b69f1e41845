// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/resident_corpus.h"

#include <algorithm>

#include "seda/base/clock.h"
#include "seda/base/parallel.h"
#include "seda/base/thread.h"
#include "seda/feed/detail/resident_loading.h"

namespace seda::feed {
namespace {

using detail::ResidentPlan;
using detail::ResidentRun;

ProgressOptions progress_options(const ResidentOptions& options, size_t clips) {
  return {.label = "load",
          .unit = "clips",
          .total = clips,
          .style = options.progress,
          .width = terminal_width()};
}

/// Never more threads than there are runs to read.
int thread_count(const ResidentOptions& options, const ResidentPlan& plan) {
  const int wanted = options.threads > 0 ? options.threads : usable_cores();
  return static_cast<int>(std::clamp<size_t>(plan.runs.size(), 1, static_cast<size_t>(wanted)));
}

void bring_all(const ResidentPlan& plan, detail::ResidentLoading& loading, int threads,
               const ProgressOptions& shown) {
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress(shown, clock, sink);
  parallel_for(plan.runs.size(), {.threads = threads, .name = "load"},
               [&](size_t begin, size_t end) {
                 for (const ResidentRun& run : std::span(plan.runs).subspan(begin, end - begin)) {
                   loading.bring(run);
                   progress.advance(run.end - run.first);
                 }
               });
}

}  // namespace

uint64_t ResidentCorpus::bytes_needed(const ClipSource& source, std::span<const ClipLength> clips) {
  detail::ResidentRoom sum;
  for (const ClipLength& clip : clips) {
    const detail::ResidentRoom room = detail::room_of(clip, source.kind(), source.mel());
    sum.sound += room.sound;
    sum.tokens += room.tokens;
  }
  return detail::sound_bytes(sum, source.kind()) + detail::token_bytes(sum);
}

ResidentCorpus::ResidentCorpus(const ClipSource& source, std::span<const ClipLength> clips,
                               const ResidentOptions& options, const ResidentMemory& memory)
    : kind_(source.kind()), clips_(source.rows().size()) {
  const ResidentPlan plan = detail::plan_resident(source, clips, options.chunk_bytes);
  sounds_ = device::Buffer(detail::sound_bytes(plan.size, kind_), memory.resource, memory.stream);
  tokens_ = device::Buffer(detail::token_bytes(plan.size), memory.resource, memory.stream);
  const int threads = thread_count(options, plan);
  detail::ResidentLoading loading({source, clips, plan, sounds_, tokens_, clips_}, memory, threads);
  bring_all(plan, loading, threads, progress_options(options, clips.size()));
  memory.stream.synchronize();
  faults_ = loading.take_faults();
}

std::optional<ResidentClip> ResidentCorpus::place(uint32_t row) const {
  if (row >= clips_.size() || clips_[row].frames == 0) return std::nullopt;
  return clips_[row];
}

PackedBatch ResidentCorpus::base() const {
  return {.kind = kind_, .sounds = sounds_.data(), .tokens = tokens_.as<int32_t>().data()};
}

}  // namespace seda::feed
