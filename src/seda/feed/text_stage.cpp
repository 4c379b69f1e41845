// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/text_stage.h"

#include <algorithm>

#include "seda/base/mutex.h"
#include "seda/base/parallel.h"
#include "seda/feed/text_record.h"

namespace seda::feed {
namespace {

/// What the lines had in them that could not be kept. Thread-safe.
class LineCounts {
 public:
  void add(const std::string& id, const text::Line& line) {
    if (line.encoded.unknown.empty() && line.emoji == 0 && line.dropped == 0) return;
    const MutexLock lock(mutex_);
    emoji_ += line.emoji;
    dropped_ += line.dropped;
    for (const std::string& symbol : line.encoded.unknown) {
      UnknownSymbol& entry = symbols_[symbol];
      entry.symbol = symbol;
      if (++entry.count == 1 || id < entry.example) entry.example = id;
    }
  }

  TextStageReport report() const {
    const MutexLock lock(mutex_);
    TextStageReport out;
    out.emoji = emoji_;
    out.dropped = dropped_;
    for (const auto& [symbol, entry] : symbols_)
      out.unknown.push_back(entry);
    std::ranges::sort(out.unknown, [](const UnknownSymbol& a, const UnknownSymbol& b) {
      return a.count != b.count ? a.count > b.count : a.symbol < b.symbol;
    });
    return out;
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, UnknownSymbol> symbols_ SEDA_GUARDED_BY(mutex_);
  uint64_t emoji_ SEDA_GUARDED_BY(mutex_) = 0;
  uint64_t dropped_ SEDA_GUARDED_BY(mutex_) = 0;
};

}  // namespace

TextStageReport read_texts(const std::vector<dataset::Utterance>& utterances, const TextPlan& plan,
                           const text::Frontend& frontend, const cache::TableWriter& table,
                           int threads, Progress& progress) {
  LineCounts counts;
  const auto read = [&](size_t clip) {
    const dataset::Utterance& utterance = utterances[clip];
    const text::Line line = frontend.apply(utterance.text, utterance.language);
    counts.add(utterance.id, line);
    const std::string record = encode_text_record(line);
    cache::TableWriter target = table;
    target.append(plan.keys[clip], {std::as_bytes(std::span(record)), {}, cache::DataType::raw});
  };
  parallel_for(plan.missing.size(), {.threads = threads, .grain = 16, .name = "text"},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i)
                   read(plan.missing[i]);
                 progress.advance(end - begin);
               });
  return counts.report();
}

}  // namespace seda::feed
