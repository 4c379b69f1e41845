// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "seda/base/random.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/feed_options.h"

namespace seda::feed {

/// Clips that are made from their numbers, in memory.
class MemorySource final : public ClipSource {
 public:
  struct Clip {
    std::vector<int32_t> tokens;
    std::vector<int16_t> samples;
  };

  explicit MemorySource(int count, uint64_t seed = 1) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
      Clip clip;
      const size_t samples = 2000 + random.below(40000);
      const size_t tokens = 3 + random.below(60);
      for (size_t t = 0; t < samples; ++t)
        clip.samples.push_back(static_cast<int16_t>(random.below(20000)) - 10000);
      for (size_t t = 0; t < tokens; ++t)
        clip.tokens.push_back(static_cast<int32_t>(3 + random.below(50)));
      ClipRow row;
      row.samples = samples;
      row.tokens = row.symbols = static_cast<uint32_t>(tokens);
      rows_.push_back(row);
      clips_.push_back(std::move(clip));
      ids_.push_back("clip" + std::to_string(i));
    }
  }

  /// Clips that cannot be read.
  std::set<uint32_t> bad;
  /// Called before each clip is read, in the thread that reads.
  std::function<void(uint32_t row)> when_read;
  mutable std::atomic<int> reads{0};

  const Clip& clip(uint32_t row) const { return clips_[row]; }

  std::unique_ptr<ClipReader> make_reader() const override {
    return std::make_unique<Reader>(*this);
  }
  std::span<const ClipRow> rows() const override { return rows_; }
  std::string_view id(uint32_t row) const override { return ids_[row]; }
  AudioKind kind() const override { return AudioKind::pcm16; }
  const audio::MelOptions& mel() const override { return mel_; }
  bool decodes() const override { return false; }
  const std::string& path() const override { return path_; }
  const std::vector<std::string>& speakers() const override { return speakers_; }
  const std::vector<std::string>& languages() const override { return languages_; }
  int32_t speaker(uint32_t row) const override { return static_cast<int32_t>(row % 2); }
  int32_t language(uint32_t row) const override { return static_cast<int32_t>(row % 3); }

 private:
  class Reader final : public ClipReader {
   public:
    explicit Reader(const MemorySource& source) : source_(source) {}
    std::optional<Fault> fetch(uint32_t row) override {
      if (source_.when_read) source_.when_read(row);
      ++source_.reads;
      row_ = row;
      if (source_.bad.contains(row)) return Fault{source_.ids_[row], "audio_missing", "planted"};
      return std::nullopt;
    }
    Result<ClipContent> content() override {
      const Clip& clip = source_.clips_[row_];
      ClipContent out;
      out.tokens = clip.tokens;
      out.samples = clip.samples;
      return out;
    }

   private:
    const MemorySource& source_;
    uint32_t row_ = 0;
  };

  std::vector<ClipRow> rows_;
  std::vector<Clip> clips_;
  std::vector<std::string> ids_;
  audio::MelOptions mel_;
  std::string path_ = "memory";
  std::vector<std::string> speakers_ = {"a", "b"};
  std::vector<std::string> languages_ = {"de", "en", "fa"};
};

}  // namespace seda::feed
