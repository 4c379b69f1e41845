// SPDX-License-Identifier: Apache-2.0
#include "seda/base/trace.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "seda/base/atomic_file.h"
#include "seda/base/json.h"
#include "seda/base/thread.h"

namespace seda {
namespace {

int64_t chunks_for(size_t capacity) {
  constexpr size_t kEach = TraceBuffer::kChunkEvents;
  return static_cast<int64_t>(capacity / kEach + (capacity % kEach != 0 ? 1 : 0));
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

double microseconds(int64_t ns) {
  return static_cast<double>(ns) * 1e-3;
}

std::string to_text(const TraceEvent& event, int64_t origin_ns, int pid) {
  return fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{:.3f},"name":{},"dur":{:.3f}}})", pid,
                     event.track, microseconds(event.start_ns - origin_ns), json_string(event.name),
                     microseconds(event.duration_ns));
}

/// By time. An outer span stands before the inner ones, also where both begin together: it is
/// longer, or was recorded later.
std::vector<const TraceEvent*> in_order(const std::vector<TraceEvent>& events) {
  std::vector<const TraceEvent*> order(events.size());
  std::ranges::transform(events, order.begin(), [](const TraceEvent& event) { return &event; });
  std::ranges::sort(order, [](const TraceEvent* a, const TraceEvent* b) {
    if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns;
    if (a->duration_ns != b->duration_ns) return a->duration_ns > b->duration_ns;
    return a > b;
  });
  return order;
}

std::string metadata(int pid, uint32_t track, std::string_view kind, std::string_view arguments) {
  return fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{{}}}}})", pid, track,
                     kind, arguments);
}

}  // namespace

TraceRecorder::TraceRecorder(size_t capacity) : chunks_left_(chunks_for(capacity)) {}

// Takes the fields one by one: a copy of a struct that was just written stalls the processor.
void TraceRecorder::add(const char* name, int64_t start_ns, int64_t end_ns, TraceTrack track) {
  TraceBuffer& buffer = buffers_.local();
  if (!buffer.has_room() && !grow(buffer)) return buffer.drop();
  buffer.push({.name = name,
               .start_ns = start_ns,
               .duration_ns = std::max<int64_t>(0, end_ns - start_ns),
               .track = track.number != 0 ? track.number : track_of_thread(buffer)});
}

bool TraceRecorder::grow(TraceBuffer& buffer) {
  if (chunks_left_.load(std::memory_order_relaxed) <= 0) return false;
  if (chunks_left_.fetch_sub(1, std::memory_order_relaxed) <= 0) return false;
  buffer.add_chunk();
  return true;
}

uint32_t TraceRecorder::track_of_thread(TraceBuffer& buffer) {
  if (buffer.track() == 0) buffer.set_track(add_track(thread_name()).number);
  return buffer.track();
}

TraceTrack TraceRecorder::add_track(std::string_view name) {
  const MutexLock lock(mutex_);
  tracks_.emplace_back(name);
  return {.number = static_cast<uint32_t>(tracks_.size())};
}

uint64_t TraceRecorder::dropped() const {
  uint64_t total = 0;
  buffers_.for_each([&total](const TraceBuffer& buffer) { total += buffer.dropped(); });
  return total;
}

std::vector<TraceEvent> TraceRecorder::collect() const {
  std::vector<TraceEvent> events;
  buffers_.for_each([&events](const TraceBuffer& buffer) { buffer.collect(events); });
  return events;
}

std::vector<TraceRow> TraceRecorder::rows(int64_t from_ns, int64_t to_ns) const {
  const std::vector<TraceEvent> events = collect();  // first: their tracks are then known
  std::vector<TraceRow> rows;
  {
    const MutexLock lock(mutex_);
    for (const std::string& name : tracks_)
      rows.push_back({name, {}});
  }
  for (const TraceEvent* event : in_order(events)) {
    const int64_t end_ns = event->start_ns + event->duration_ns;
    if (event->start_ns > to_ns || end_ns < from_ns) continue;
    rows[event->track - 1].spans.push_back({event->name, event->start_ns, end_ns});
  }
  std::erase_if(rows, [](const TraceRow& row) { return row.spans.empty(); });
  return rows;
}

void TraceRecorder::render_tracks(const Sink& sink) const {
  const int pid = getpid();
  sink(metadata(pid, 0, "process_name", R"("name":"seda")"));
  const MutexLock lock(mutex_);
  for (uint32_t track = 1; track <= tracks_.size(); ++track) {
    sink(",\n" + metadata(pid, track, "thread_name",
                          fmt::format(R"("name":{})", json_string(tracks_[track - 1]))));
    sink(",\n" +
         metadata(pid, track, "thread_sort_index", fmt::format(R"("sort_index":{})", track)));
  }
}

void TraceRecorder::render(const Sink& sink) const {
  const std::vector<TraceEvent> events = collect();  // first: their tracks are then known
  const uint64_t lost = dropped();
  const int pid = getpid();
  sink(fmt::format(R"({{"displayTimeUnit":"ns","otherData":{{"dropped_events":{}}},"traceEvents":[)"
                   "\n",
                   lost));
  render_tracks(sink);
  if (lost > 0) {
    sink(",\n" + metadata(pid, 0, "process_labels",
                          fmt::format(R"("labels":"full: {} later events dropped")", lost)));
  }
  for (const TraceEvent* event : in_order(events))
    sink(",\n" + to_text(*event, origin_ns_, pid));
  sink("\n]}\n");
}

std::string TraceRecorder::to_json() const {
  std::string text;
  render([&text](std::string_view piece) { text += piece; });
  return text;
}

void TraceRecorder::write(const std::filesystem::path& path) const {
  AtomicFile file(path);
  render([&file](std::string_view piece) { file.append(piece); });
  file.commit();
}

}  // namespace seda
