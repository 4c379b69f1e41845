// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/audio_stage.h"

#include <optional>

#include "seda/audio/mel_cpu.h"
#include "seda/audio/sound_reader.h"
#include "seda/base/mutex.h"
#include "seda/base/parallel.h"
#include "seda/base/per_thread.h"
#include "seda/feed/audio_record.h"
#include "seda/feed/sound_faults.h"

namespace seda::feed {
namespace {

/// Sums over clips, in whole numbers so that their order does not matter. Thread-safe.
class SoundCounts {
 public:
  void add(const audio::Sound& sound) {
    const MutexLock lock(mutex_);
    report_.resampled += sound.resampled ? 1 : 0;
    report_.mixed += sound.mixed ? 1 : 0;
    report_.clipped += sound.clipped > 0 ? 1 : 0;
    trimmed_ += sound.trimmed;
    samples_ += static_cast<int64_t>(sound.samples.size());
  }

  void add_unread(const cache::Key& key, const Fault& fault) {
    const MutexLock lock(mutex_);
    report_.unread.emplace(key, fault);
  }

  AudioStageReport report(int sample_rate) const {
    const MutexLock lock(mutex_);
    AudioStageReport out = report_;
    out.trimmed_s = static_cast<double>(trimmed_) / sample_rate;
    out.sound_s = static_cast<double>(samples_) / sample_rate;
    return out;
  }

 private:
  mutable Mutex mutex_;
  AudioStageReport report_ SEDA_GUARDED_BY(mutex_);
  int64_t trimmed_ SEDA_GUARDED_BY(mutex_) = 0;
  int64_t samples_ SEDA_GUARDED_BY(mutex_) = 0;
};

/// What one thread keeps from clip to clip.
struct Worker {
  std::optional<audio::SoundReader> reader;
  std::optional<audio::MelCpu::Workspace> workspace;
  std::vector<float> mel;  // [n_mels, frames]
};

class SoundStage {
 public:
  SoundStage(const AudioOptions& options, cache::TableWriter table)
      : options_(options), table_(table) {
    if (options.kind == AudioKind::mel) mel_.emplace(options.mel);
  }

  void read(const dataset::Utterance& utterance, const cache::Key& key) {
    Worker& worker = workers_.local();
    if (!worker.reader) worker.reader.emplace(options_.sound);
    const auto sound = worker.reader->read(utterance.audio);
    if (!sound) {
      set_aside(key, sound.fault());
    } else {
      keep(key, sound.value(), worker);
    }
  }

  AudioStageReport report() const { return counts_.report(options_.sound.sample_rate); }

 private:
  void keep(const cache::Key& key, const audio::Sound& sound, Worker& worker) {
    counts_.add(sound);
    if (!mel_) return append(key, pcm_record(sound.samples));
    const auto frames = static_cast<size_t>(mel_->frames(std::ssize(sound.samples)));
    if (frames == 0) return set_aside(key, too_short(sound.samples.size(), options_.mel));
    if (!worker.workspace) worker.workspace.emplace(*mel_);
    const auto n_mels = static_cast<uint32_t>(options_.mel.n_mels);
    worker.mel.resize(n_mels * frames);
    mel_->apply(sound.samples, *worker.workspace, {worker.mel.data(), frames, frames});
    append(key, mel_record(worker.mel, n_mels, sound.samples.size()));
  }

  void set_aside(const cache::Key& key, const Fault& fault) {
    if (!is_lasting(fault)) return counts_.add_unread(key, fault);
    const std::string record = encode_fault_record(fault);
    append(key, {std::as_bytes(std::span(record)), {}, cache::DataType::raw});
  }

  void append(const cache::Key& key, const cache::RecordView& record) {
    cache::TableWriter target = table_;
    target.append(key, record);
  }

  const AudioOptions& options_;
  cache::TableWriter table_;
  std::optional<audio::MelCpu> mel_;  // none where samples are kept
  PerThread<Worker> workers_;
  SoundCounts counts_;
};

}  // namespace

AudioStageReport read_sounds(const std::vector<dataset::Utterance>& utterances,
                             const AudioPlan& plan, const AudioOptions& options,
                             const cache::TableWriter& table, int threads, Progress& progress) {
  SoundStage stage(options, table);
  parallel_for(plan.missing.size(), {.threads = threads, .grain = 1, .name = "audio"},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   const size_t clip = plan.missing[i];
                   stage.read(utterances[clip], plan.keys[clip]);
                 }
                 progress.advance(end - begin);
               });
  return stage.report();
}

}  // namespace seda::feed
