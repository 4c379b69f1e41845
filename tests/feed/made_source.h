// SPDX-License-Identifier: Apache-2.0
// Clips that are made up and kept in memory.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "seda/audio/mel_cpu.h"
#include "seda/base/random.h"
#include "seda/feed/clip_source.h"
#include "tests/audio/clip.h"

namespace seda::feed {

struct MadeClip {
  std::string id;
  std::vector<int16_t> samples;
  std::vector<float> mel;  ///< [n_mels, frames]
  int frames = 0;
  std::vector<int32_t> tokens;
  std::string fault;  ///< Code; empty: it can be read.
};

/// A source of made clips, some of which may be bad.
class MadeSource final : public ClipSource {
 public:
  MadeSource(AudioKind kind, const std::vector<size_t>& samples, const audio::MelOptions& mel = {})
      : kind_(kind), mel_(mel), plan_(mel) {
    for (size_t i = 0; i < samples.size(); ++i)
      add(i, samples[i]);
  }

  /// A clip that is listed as good and cannot be read.
  void spoil(size_t row, const std::string& code) { clips_[row].fault = code; }
  /// Its listing stays as it is.
  void replace_samples(size_t row, std::vector<int16_t> samples) {
    clips_[row].samples = std::move(samples);
  }

  const MadeClip& clip(size_t row) const { return clips_[row]; }

  std::unique_ptr<ClipReader> make_reader() const override {
    return std::make_unique<Reader>(*this);
  }
  std::span<const ClipRow> rows() const override { return rows_; }
  std::string_view id(uint32_t row) const override { return clips_[row].id; }
  AudioKind kind() const override { return kind_; }
  const audio::MelOptions& mel() const override { return mel_; }
  bool decodes() const override { return false; }
  const std::string& path() const override { return path_; }
  const std::vector<std::string>& speakers() const override { return names_; }
  const std::vector<std::string>& languages() const override { return names_; }
  int32_t speaker(uint32_t row) const override { return static_cast<int32_t>(row % 3); }
  int32_t language(uint32_t row) const override { return static_cast<int32_t>(row % 2); }

 private:
  class Reader final : public ClipReader {
   public:
    explicit Reader(const MadeSource& source) : source_(source) {}

    std::optional<Fault> fetch(uint32_t row) override {
      row_ = row;
      const MadeClip& clip = source_.clip(row);
      if (clip.fault == "unfetched") return Fault{clip.id, clip.fault, "made up"};
      return std::nullopt;
    }
    Result<ClipContent> content() override {
      const MadeClip& clip = source_.clip(row_);
      if (!clip.fault.empty()) return Fault{clip.id, clip.fault, "made up"};
      ClipContent out;
      out.tokens = clip.tokens;
      if (source_.kind() == AudioKind::pcm16) {
        out.samples = clip.samples;
      } else {
        out.mel = clip.mel;
        out.mel_frames = clip.frames;
      }
      return out;
    }

   private:
    const MadeSource& source_;
    uint32_t row_ = 0;
  };

  void add(size_t row, size_t samples) {
    MadeClip clip;
    clip.id = "clip" + std::to_string(row);
    clip.samples = audio::testing_support::made_clip(samples, row + 1);
    clip.frames = static_cast<int>(plan_.frames(static_cast<int64_t>(samples)));
    const auto frames = static_cast<size_t>(clip.frames);
    clip.mel.resize(static_cast<size_t>(mel_.n_mels) * frames);
    audio::MelCpu::Workspace workspace(plan_);
    plan_.apply(std::span<const int16_t>(clip.samples), workspace,
                {clip.mel.data(), frames, frames});
    Random random(row);
    for (size_t i = 0; i < 3 + row % 7; ++i)
      clip.tokens.push_back(static_cast<int32_t>(1 + random.below(90)));
    ClipRow listed;
    listed.samples = samples;
    listed.tokens = static_cast<uint32_t>(clip.tokens.size());
    listed.symbols = listed.tokens;
    rows_.push_back(listed);
    clips_.push_back(std::move(clip));
  }

  AudioKind kind_;
  audio::MelOptions mel_;
  audio::MelCpu plan_;
  std::vector<MadeClip> clips_;
  std::vector<ClipRow> rows_;
  std::vector<std::string> names_ = {"a", "b", "c"};
  std::string path_ = "memory";
};

}  // namespace seda::feed
