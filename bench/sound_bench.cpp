// SPDX-License-Identifier: Apache-2.0
//
// From a file in the page cache to 16-bit samples at 22,050 Hz, on one core: each kind of file, and
// each step by itself. `real_time_factor` is seconds of sound for each second of work.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "bench/support/sound_clips.h"
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include "seda/audio/level.h"
#include "seda/audio/loudness.h"
#include "seda/audio/mel_cpu.h"
#include "seda/audio/resample.h"
#include "seda/audio/sound_reader.h"
#include "seda/audio/trim_silence.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/mapped_file.h"

namespace {

using namespace seda;

constexpr int kRate = 22050;
constexpr double kSeconds = 6.6;  // the mean of LJSpeech

void report(benchmark::State& state, double sound_s) {
  const auto clips = static_cast<double>(state.iterations());
  state.counters["real_time_factor"] =
      benchmark::Counter(clips * sound_s, benchmark::Counter::kIsRate);
}

/// Reads 64 files in turn, so that none of them stays in the core's own cache.
void read_files(benchmark::State& state, const bench::ClipKind& kind,
                const audio::SoundOptions& options) {
  const bench::ClipFolder clips(kind, kSeconds, 64);
  audio::SoundReader reader(options);
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto sound = reader.read(clips.file(i++ % 64));
    benchmark::DoNotOptimize(sound.value().samples.data());
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(clips.mean_bytes()));
  report(state, kSeconds);
}

/// The same and on to the log-mel: all of what a clip costs before it is fed.
void file_to_mel(benchmark::State& state) {
  const bench::ClipFolder clips({"wav", "pcm16"}, kSeconds, 64);
  audio::SoundReader reader({});
  const audio::MelCpu plan(audio::MelOptions{});
  audio::MelCpu::Workspace workspace(plan);
  std::vector<float> mel;
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto sound = reader.read(clips.file(i++ % 64));
    const auto samples = sound.value().samples;
    const auto frames = static_cast<size_t>(plan.frames(std::ssize(samples)));
    mel.resize(80 * frames);
    plan.apply(samples, workspace, {mel.data(), frames, frames});
    benchmark::DoNotOptimize(mel.data());
  }
  state.SetItemsProcessed(state.iterations());
  report(state, kSeconds);
}
BENCHMARK(file_to_mel);

uint64_t sum_of(std::span<const std::byte> bytes) {
  uint64_t sum = 0;
  for (size_t at = 0; at + sizeof sum <= bytes.size(); at += sizeof sum) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum += word;
  }
  return sum;
}

/// Every byte of a clip's file, looked at once: why clips are read and not mapped.
void look_at_bytes(benchmark::State& state, bool mapped) {
  static const bench::ClipFolder clips({"wav", "pcm16", kRate, 1}, kSeconds, 64);
  std::vector<std::byte> memory(size_t{1} << 20);
  size_t i = static_cast<size_t>(state.thread_index()) * 32;
  for ([[maybe_unused]] auto _ : state) {
    const auto& path = clips.file(i++ % 64);
    if (mapped) {
      benchmark::DoNotOptimize(sum_of(MappedFile(path).bytes()));
      continue;
    }
    const FileDescriptor file = open_file(path, O_RDONLY);
    const ssize_t got = pread(file.get(), memory.data(), memory.size(), 0);
    benchmark::DoNotOptimize(sum_of(std::span(memory).first(static_cast<size_t>(got))));
  }
}
BENCHMARK_CAPTURE(look_at_bytes, read, false)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK_CAPTURE(look_at_bytes, mapped, true)->ThreadRange(1, 2)->UseRealTime();

void read_kind(benchmark::State& state, const bench::ClipKind& kind) {
  read_files(state, kind, audio::SoundOptions{});
}
BENCHMARK_CAPTURE(read_kind, wav_pcm16, {"wav", "pcm16", kRate, 1});
BENCHMARK_CAPTURE(read_kind, wav_pcm16_stereo, {"wav", "pcm16", kRate, 2});
BENCHMARK_CAPTURE(read_kind, wav_pcm24, {"wav", "pcm24", kRate, 1});
BENCHMARK_CAPTURE(read_kind, wav_float, {"wav", "float", kRate, 1});
BENCHMARK_CAPTURE(read_kind, wav_pcm16_48k, {"wav", "pcm16", 48000, 1});
BENCHMARK_CAPTURE(read_kind, flac, {"flac", "pcm16", kRate, 1});
BENCHMARK_CAPTURE(read_kind, ogg, {"ogg", "vorbis", kRate, 1});
BENCHMARK_CAPTURE(read_kind, opus_48k, {"ogg", "opus", 48000, 1});
BENCHMARK_CAPTURE(read_kind, mp3, {"mp3", "mp3", kRate, 1});

void read_with_every_step(benchmark::State& state) {
  audio::SoundOptions options;
  options.trim_below_db = 40;
  options.loudness_lufs = -23;
  read_files(state, {"wav", "pcm16", 48000, 2}, options);
}
BENCHMARK(read_with_every_step);

void probe(benchmark::State& state, const bench::ClipKind& kind) {
  const bench::ClipFolder clips(kind, kSeconds, 64);
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(audio::probe_sound(clips.file(i++ % 64)).ok());
}
BENCHMARK_CAPTURE(probe, wav, {"wav", "pcm16", kRate, 1});
BENCHMARK_CAPTURE(probe, flac, {"flac", "pcm16", kRate, 1});
BENCHMARK_CAPTURE(probe, mp3, {"mp3", "mp3", kRate, 1});

void resample(benchmark::State& state, audio::ResampleQuality quality) {
  audio::Resampler resampler(48000, kRate, quality);
  const auto samples = bench::speech_like(48000, kSeconds);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(resampler.apply(samples).data());
  report(state, kSeconds);
}
BENCHMARK_CAPTURE(resample, fast, audio::ResampleQuality::fast);
BENCHMARK_CAPTURE(resample, high, audio::ResampleQuality::high);
BENCHMARK_CAPTURE(resample, best, audio::ResampleQuality::best);

void trim(benchmark::State& state) {
  const auto samples = bench::speech_like(kRate, kSeconds);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(audio::trim_silence(samples, kRate, 40, 0.05).data());
  report(state, kSeconds);
}
BENCHMARK(trim);

void loudness(benchmark::State& state) {
  const auto samples = bench::speech_like(kRate, kSeconds);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(audio::integrated_loudness(samples, kRate));
  report(state, kSeconds);
}
BENCHMARK(loudness);

void round_to_16_bits(benchmark::State& state) {
  const auto samples = bench::speech_like(kRate, kSeconds);
  std::vector<int16_t> out;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(audio::to_pcm16(samples, 0.7F, out));
  report(state, kSeconds);
}
BENCHMARK(round_to_16_bits);

}  // namespace
