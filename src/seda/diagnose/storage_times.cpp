// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/storage_times.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "seda/base/clock.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/interrupt.h"
#include "seda/base/random.h"
#include "seda/diagnose/bands.h"
#include "seda/diagnose/corpus_files.h"

namespace seda::diagnose {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSeed = 7;
constexpr uint64_t kMostBytes = uint64_t{8} << 20;  // of one read

uint64_t size_of(const fs::path& file) {
  std::error_code none;
  const auto bytes = fs::file_size(file, none);
  return none ? 0 : bytes;
}

/// What several threads read together.
class Readers {
 public:
  Readers(std::span<const Extent> extents, double most_s) : extents_(extents), most_s_(most_s) {}

  StorageTimes read(int threads) {
    {
      std::vector<std::jthread> all;
      for (int i = 0; i < std::max(1, threads); ++i)
        all.emplace_back([this] { work(); });
    }
    throw_if_interrupted();
    return {.reads = reads_, .failed = failed_, .bytes = bytes_, .seconds = time_.seconds()};
  }

 private:
  void work() {
    std::vector<char> buffer;
    for (;;) {
      const size_t place = next_++;
      if (place >= extents_.size() || time_.seconds() > most_s_ || interrupted()) return;
      buffer.resize(std::min(extents_[place].bytes, kMostBytes));
      const bool good = read_one(extents_[place], buffer);
      ++(good ? reads_ : failed_);
      if (good) bytes_ += buffer.size();
    }
  }

  static bool read_one(const Extent& extent, std::vector<char>& buffer) {
    const FileDescriptor file(open(extent.file.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return false;
    size_t done = 0;
    while (done < buffer.size()) {
      const auto got = pread(file.get(), buffer.data() + done, buffer.size() - done,
                             static_cast<off_t>(extent.offset + done));
      if (got <= 0) return false;
      done += static_cast<size_t>(got);
    }
    return true;
  }

  std::span<const Extent> extents_;
  double most_s_;
  Stopwatch time_;
  std::atomic<size_t> next_{0};
  std::atomic<size_t> reads_{0};
  std::atomic<size_t> failed_{0};
  std::atomic<uint64_t> bytes_{0};
};

std::vector<Extent> whole_files(std::span<const fs::path> files, size_t most, Random& random) {
  std::vector<fs::path> chosen(files.begin(), files.end());
  random.shuffle(std::span(chosen));
  chosen.resize(std::min(chosen.size(), most));
  std::vector<Extent> out;
  out.reserve(chosen.size());
  for (const fs::path& file : chosen)
    out.push_back({file, 0, size_of(file)});
  return out;
}

}  // namespace

double StorageTimes::batch_s() const {
  return reads > 0 ? seconds * kBandClips / static_cast<double>(reads) : 0;
}

double StorageTimes::bytes_per_second() const {
  return seconds > 0 ? static_cast<double>(bytes) / seconds : 0;
}

std::vector<Extent> choose_extents(std::span<const fs::path> files, uint64_t bytes, size_t most) {
  Random random(kSeed, 0);
  if (bytes == 0) return whole_files(files, most, random);
  std::vector<Extent> stretches;  // of each file, all of them as one
  uint64_t count = 0;
  for (const fs::path& file : files) {
    stretches.push_back({file, count, size_of(file) / bytes});
    count += stretches.back().bytes;
  }
  std::vector<Extent> out;
  for (size_t i = 0; count > 0 && i < most; ++i) {
    const uint64_t number = random.below(count);
    const auto of = std::ranges::find_if(stretches, [&](const Extent& all) {
      return number >= all.offset && number < all.offset + all.bytes;
    });
    out.push_back({of->file, (number - of->offset) * bytes, bytes});
  }
  return out;
}

StorageTimes time_storage(std::span<const Extent> extents, int threads, double most_s) {
  std::set<fs::path> files;
  for (const Extent& extent : extents)
    files.insert(extent.file);
  const double resident = drop_files(std::vector<fs::path>(files.begin(), files.end()));
  StorageTimes out = Readers(extents, most_s).read(threads);
  out.resident = resident;
  return out;
}

}  // namespace seda::diagnose
