// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/make_corpus.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/audio/resample.h"
#include "seda/audio/wav_writer.h"
#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/hash.h"
#include "seda/base/parallel.h"
#include "seda/base/per_thread.h"
#include "seda/corpus/detail/corpus_folder.h"
#include "seda/corpus/sentences.h"
#include "seda/corpus/transcripts.h"
#include "seda/corpus/voice.h"

namespace seda::corpus {
namespace {

constexpr int kRecipeVersion = 1;

/// A thread's resamplers, one for each rate that voices speak at.
class Workspace {
 public:
  /// `speech` at `rate`. Valid until the next call.
  std::span<const int16_t> at_rate(const Speech& speech, int rate) {
    if (speech.sample_rate == rate) return speech.samples;
    input_.assign(speech.samples.begin(), speech.samples.end());
    auto& resampler = resamplers_[{speech.sample_rate, rate}];
    if (resampler == nullptr) {
      resampler = std::make_unique<audio::Resampler>(speech.sample_rate, rate);
    }
    output_.clear();
    for (const float sample : resampler->apply(input_)) {
      output_.push_back(static_cast<int16_t>(std::lrint(std::clamp(sample, -32768.0F, 32767.0F))));
    }
    return output_;
  }

 private:
  std::map<std::pair<int, int>, std::unique_ptr<audio::Resampler>> resamplers_;
  std::vector<float> input_;
  std::vector<int16_t> output_;
};

/// What became of one line.
struct Outcome {
  double seconds = 0;
  bool kept = false;
  std::optional<Fault> fault;
};

class Maker {
 public:
  explicit Maker(const CorpusOptions& options) : options_(options) {
    check_options();
    read_lines();
    voice_names_ = options.voices.empty()
                       ? default_voices(options.language, options.layout == Layout::speakers)
                       : options.voices;
    voices_ = make_voices(options.language, voice_names_);
  }

  CorpusReport run() {
    const Stopwatch watch;
    const detail::CorpusFolder folder(options_.folder, recipe(), options_.force,
                                      options_.force ? clip_paths() : std::vector<std::string>());
    make_folders(folder);
    const auto outcomes = say_all(folder);
    std::vector<Clip> clips;
    double made_s = 0;
    for (size_t i = 0; i < outcomes.size(); ++i) {
      const auto& outcome = outcomes[i];
      if (outcome.fault) {
        report_.skipped.push_back(*outcome.fault);
        continue;
      }
      clips.push_back(clip(i));
      report_.audio_s += outcome.seconds;
      made_s += outcome.kept ? 0 : outcome.seconds;
      report_.kept += outcome.kept ? 1 : 0;
    }
    refuse_nothing_said(clips);
    folder.finish(
        metadata_text(options_.layout, clips, options_.language, voice_names_.size() > 1));
    report_.clips = clips.size();
    report_.voices = voice_names_;
    report_.seconds = watch.seconds();
    report_.times_real_time = made_s / std::max(report_.seconds, 1e-9);
    return std::move(report_);
  }

 private:
  void check_options() const {
    if (options_.sample_rate < kLowestRate || options_.sample_rate > kHighestRate) {
      throw_error(ErrorKind::usage, "--sample-rate: expected {} to {} Hz, found {}", kLowestRate,
                  kHighestRate, options_.sample_rate);
    }
    if (options_.clips == size_t{0}) {
      throw_error(ErrorKind::usage, "--clips: expected at least 1, found 0");
    }
  }

  void read_lines() {
    if (!options_.transcripts) {
      const size_t count = options_.clips.value_or(kDefaultClips);
      lines_ = number_lines(compose(count));
      return;
    }
    Transcripts transcripts = read_transcripts(*options_.transcripts);
    lines_ = std::move(transcripts.lines);
    report_.skipped = std::move(transcripts.faults);
    if (options_.clips && *options_.clips < lines_.size()) lines_.resize(*options_.clips);
  }

  std::vector<std::string> compose(size_t count) const {
    const SteadyClock clock;
    LogProgressSink sink;
    Progress progress({"corpus", "sentences", count, options_.progress, terminal_width()}, clock,
                      sink);
    return compose_sentences(options_.language, count, options_.seed, [&] { progress.advance(); });
  }

  /// All that decides the bytes of the corpus.
  Json recipe() const {
    Hasher said;
    for (const Line& line : lines_) {
      said.add(line.id + "|" + line.text + "\n");
    }
    return {{"version", kRecipeVersion},
            {"clips", lines_.size()},
            {"text", said.digest().hex()},
            {"language", options_.language},
            {"voices", voice_names_},
            {"sample_rate", options_.sample_rate},
            {"layout", to_string(options_.layout)},
            {"seed", options_.seed}};
  }

  Clip clip(size_t i) const { return {&lines_[i], voice_names_[i % voice_names_.size()]}; }

  std::vector<std::string> clip_paths() const {
    std::vector<std::string> paths;
    paths.reserve(lines_.size());
    for (size_t i = 0; i < lines_.size(); ++i)
      paths.push_back(clip_path(options_.layout, clip(i)));
    return paths;
  }

  void make_folders(const detail::CorpusFolder& folder) const {
    for (size_t i = 0; i < std::min(lines_.size(), voice_names_.size()); ++i) {
      create_folders(folder_of(folder / clip_path(options_.layout, clip(i))));
    }
  }

  std::vector<Outcome> say_all(const detail::CorpusFolder& folder) {
    const SteadyClock clock;
    LogProgressSink sink;
    Progress progress({"corpus", "clips", lines_.size(), options_.progress, terminal_width()},
                      clock, sink);
    std::vector<Outcome> outcomes(lines_.size());
    PerThread<Workspace> workspaces;
    parallel_for(lines_.size(), {options_.threads, 1, "voice"}, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        outcomes[i] = say(i, folder, workspaces.local());
        progress.advance();
      }
    });
    return outcomes;
  }

  Outcome say(size_t i, const detail::CorpusFolder& folder, Workspace& workspace) const {
    const auto file = folder / clip_path(options_.layout, clip(i));
    if (folder.resumes()) {
      const auto seconds = detail::whole_wav_seconds(file, options_.sample_rate);
      if (seconds) return {*seconds, true, std::nullopt};
    }
    const Line& line = lines_[i];
    const Voice& voice = *voices_[i % voices_.size()];
    const auto speech = voice.speak(line.text, clip_seed(line, voice));
    if (!speech) return {0, false, said_fault(line, voice, speech.fault())};
    const auto samples = workspace.at_rate(speech.value(), options_.sample_rate);
    audio::write_wav(file, samples, options_.sample_rate);
    return {static_cast<double>(samples.size()) / options_.sample_rate, false, std::nullopt};
  }

  uint64_t clip_seed(const Line& line, const Voice& voice) const {
    return hash64(voice.name() + "|" + line.text, options_.seed);
  }

  static Fault said_fault(const Line& line, const Voice& voice, const Fault& fault) {
    const std::string place = line.place.empty() ? line.id : line.place;
    return {line.id, fault.code,
            fmt::format("{}: voice {}: {}", place, voice.name(), fault.evidence)};
  }

  void refuse_nothing_said(const std::vector<Clip>& clips) const {
    if (!clips.empty()) return;
    throw_error(ErrorKind::usage, "none of {} lines could be said; the first: {}", lines_.size(),
                report_.skipped.front().evidence);
  }

  const CorpusOptions& options_;
  std::vector<Line> lines_;
  std::vector<std::string> voice_names_;
  Voices voices_;
  CorpusReport report_;
};

}  // namespace

CorpusReport make_corpus(const CorpusOptions& options) {
  return Maker(options).run();
}

}  // namespace seda::corpus
