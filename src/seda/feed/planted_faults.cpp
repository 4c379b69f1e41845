// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/planted_faults.h"

#include <chrono>
#include <ctime>
#include <string_view>
#include <thread>

#include "seda/base/hash.h"

namespace seda::feed {
namespace {

constexpr uint64_t kSlowSeed = 1;
constexpr uint64_t kBadSeed = 2;
constexpr uint64_t kUnevenEvery = 200;  // reads

void sleep_ms(double ms) {
  if (ms > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

/// Milliseconds that the calling thread has had a processor.
double thread_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// The usable clip whose id has the lowest hash.
std::optional<uint32_t> choose_slow(const ClipSource& source) {
  std::optional<uint32_t> chosen;
  uint64_t lowest = 0;
  for (uint32_t row = 0; row < source.rows().size(); ++row) {
    if (!source.rows()[row].is_usable()) continue;
    const uint64_t hash = hash64(source.id(row), kSlowSeed);
    if (chosen && hash >= lowest) continue;
    chosen = row;
    lowest = hash;
  }
  return chosen;
}

}  // namespace

void be_busy_ms(double ms) {
  const double end = ms > 0 ? thread_ms() + ms : 0;
  while (end > 0 && thread_ms() < end) {
  }
}

PlantedFaults::PlantedFaults(const ClipSource& source, const Inject& inject)
    : source_(source), inject_(inject) {
  if (inject.slow_clip_ms > 0) slow_row_ = choose_slow(source);
}

bool PlantedFaults::is_bad(uint32_t row) const {
  if (inject_.bad_share <= 0) return false;
  const auto hash = static_cast<double>(hash64(source_.id(row), kBadSeed) >> 11);
  return hash * 0x1p-53 < inject_.bad_share;
}

std::optional<Fault> PlantedFaults::fetch(uint32_t row) const {
  sleep_ms(inject_.read_ms);
  if (inject_.uneven_ms > 0 && ++reads_ % kUnevenEvery == 0) sleep_ms(inject_.uneven_ms);
  if (slow_row_ == row) sleep_ms(inject_.slow_clip_ms);
  if (!is_bad(row)) return std::nullopt;
  return Fault{std::string(source_.id(row)), "injected", "planted by debug.inject: bad_clips"};
}

void PlantedFaults::decode() const {
  be_busy_ms(inject_.decode_ms);
}

void PlantedFaults::read_line() const {
  be_busy_ms(inject_.text_ms);
}

}  // namespace seda::feed
