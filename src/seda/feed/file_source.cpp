// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/file_source.h"

#include <algorithm>

#include "seda/audio/sound_reader.h"
#include "seda/base/parallel.h"
#include "seda/base/per_thread.h"
#include "seda/feed/corpus_frontend.h"
#include "seda/feed/silent_text.h"
#include "seda/feed/sound_faults.h"
#include "seda/text/tokenizer.h"

namespace seda::feed {
namespace {

using dataset::Utterance;

/// A fault of a file, as one of its clip.
Fault of_clip(const Utterance& utterance, const Fault& fault) {
  return {utterance.id, fault.code, utterance.audio.string() + ": " + fault.evidence};
}

/// `body(i)` for every clip, on all threads.
void for_each_clip(size_t clips, int threads, const char* name, Progress& progress,
                   const std::function<void(size_t)>& body) {
  parallel_for(clips, {.threads = threads, .grain = 16, .name = name},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i)
                   body(i);
                 progress.advance(end - begin);
               });
}

ClipRow row_of(const Utterance& utterance, const text::Encoded& encoded) {
  ClipRow row;
  row.file_bytes = utterance.audio_bytes;
  row.file_time_ns = utterance.audio_time_ns;
  row.split = static_cast<uint32_t>(utterance.split);
  row.tokens = static_cast<uint32_t>(encoded.tokens.size());
  row.symbols =
      row.tokens - static_cast<uint32_t>(std::ranges::count(encoded.tokens, text::kBlankToken));
  row.unknown = static_cast<uint32_t>(encoded.unknown.size());
  return row;
}

/// Samples at the rate that is asked for.
uint64_t resampled(const audio::SoundInfo& info, int rate) {
  const auto from = static_cast<uint64_t>(info.sample_rate);
  return (static_cast<uint64_t>(info.frames) * static_cast<uint64_t>(rate) + from - 1) / from;
}

/// How long a clip's sound is.
class LengthFinder {
 public:
  LengthFinder(const audio::SoundOptions& sound, const audio::MelOptions& mel)
      : sound_(sound), mel_(mel) {}

  Result<uint64_t> operator()(const std::filesystem::path& path) {
    auto samples = samples_of(path);
    if (!samples) return samples;
    const auto count = static_cast<int64_t>(samples.value());
    if (audio::mel_frames(mel_, count) == 0) return too_short(samples.value(), mel_);
    return samples;
  }

 private:
  struct Worker {
    std::optional<audio::SoundReader> reader;
  };

  Result<uint64_t> samples_of(const std::filesystem::path& path) {
    const auto info = audio::probe_sound(path);
    if (!info) return info.fault();
    if (info.value().frames > 0) return resampled(info.value(), sound_.sample_rate);
    Worker& worker = workers_.local();
    if (!worker.reader) worker.reader.emplace(sound_);
    const auto sound = worker.reader->read(path);
    if (!sound) return sound.fault();
    return uint64_t{sound.value().samples.size()};
  }

  const audio::SoundOptions& sound_;
  const audio::MelOptions& mel_;
  PerThread<Worker> workers_;
};

}  // namespace

class FileSource::Reader final : public ClipReader {
 public:
  explicit Reader(const FileSource& source) : source_(source), sounds_(source.sound_) {}

  std::optional<Fault> fetch(uint32_t row) override {
    row_ = row;
    const Utterance& utterance = source_.corpus_.utterances[row];
    const auto fault = sounds_.load(utterance.audio);
    return fault ? std::optional(of_clip(utterance, *fault)) : std::nullopt;
  }

  Result<ClipContent> content() override {
    const auto sound = sounds_.sound();
    if (!sound) return of_clip(source_.corpus_.utterances[row_], sound.fault());
    ClipContent out;
    out.tokens = source_.tokens_[row_];
    out.samples = sound.value().samples;
    return out;
  }

 private:
  const FileSource& source_;
  audio::SoundReader sounds_;
  uint32_t row_ = 0;
};

FileSource::FileSource(const PrepareOptions& options)
    : FileSource(dataset::read_corpus(options.corpus, options.read), options) {}

FileSource::FileSource(dataset::Corpus corpus, const PrepareOptions& options)
    : corpus_(std::move(corpus)),
      mel_(options.audio.mel),
      sound_(options.audio.sound),
      faults_(corpus_.faults) {
  read_lines(options);
  read_lengths(options);
  speakers_ = ClipNames(
      rows_.size(), [&](size_t i) -> std::string_view { return corpus_.utterances[i].speaker; });
}

void FileSource::read_lines(const PrepareOptions& options) {
  const auto& utterances = corpus_.utterances;
  const auto frontend = corpus_frontend(options, utterances);
  rows_.resize(utterances.size());
  tokens_.resize(utterances.size());
  std::vector<std::string> languages(utterances.size());
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress({"read", "lines", rows_.size(), options.progress, terminal_width()}, clock,
                    sink);
  for_each_clip(rows_.size(), options.threads, "text", progress, [&](size_t i) {
    text::Line line = frontend->apply(utterances[i].text, utterances[i].language);
    rows_[i] = row_of(utterances[i], line.encoded);
    tokens_[i] = std::move(line.encoded.tokens);
    languages[i] = std::move(line.language.code);
  });
  languages_ = ClipNames(rows_.size(), [&](size_t i) -> std::string_view { return languages[i]; });
}

void FileSource::read_lengths(const PrepareOptions& options) {
  const auto& utterances = corpus_.utterances;
  LengthFinder find(sound_, mel_);
  std::vector<std::optional<Fault>> found(rows_.size());
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress({"read", "headers", rows_.size(), options.progress, terminal_width()}, clock,
                    sink);
  for_each_clip(rows_.size(), options.threads, "length", progress, [&](size_t i) {
    const auto samples = find(utterances[i].audio);
    if (!samples) {
      found[i] = of_clip(utterances[i], samples.fault());
      return;
    }
    rows_[i].samples = samples.value();
    rows_[i].duration_s = static_cast<double>(samples.value()) / sound_.sample_rate;
  });
  set_aside(found);
}

void FileSource::set_aside(const std::vector<std::optional<Fault>>& found) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].symbols == 0) faults_.push_back(silent_text(corpus_.utterances[i]));
    if (const auto& fault = found[i]) faults_.push_back(*fault);
  }
}

std::unique_ptr<ClipReader> FileSource::make_reader() const {
  return std::make_unique<Reader>(*this);
}

}  // namespace seda::feed
