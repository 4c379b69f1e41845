// SPDX-License-Identifier: Apache-2.0
#include "seda/train/samples.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "seda/audio/griffin_lim_cpu.h"
#include "seda/audio/level.h"
#include "seda/audio/mel_picture.h"
#include "seda/audio/wav_writer.h"
#include "seda/base/file.h"
#include "seda/base/log.h"
#include "seda/base/thread.h"
#include "seda/base/utf8.h"
#include "seda/train/alignment_picture.h"

namespace seda::train {
namespace {

constexpr int kSamples = 2;
constexpr audio::GriffinLimOptions kSound{.iterations = 32};

constexpr size_t kMostNameBytes = 150;  // file systems take 255, with what is added

/// As part of a file's name: an id may hold slashes and be of any length.
std::string plain(std::string id) {
  std::ranges::replace(id, '/', '_');
  return std::string(first_bytes(id, kMostNameBytes));
}

}  // namespace

std::vector<Sample> make_samples(Engine& engine, const feed::ClipSource& source,
                                 const feed::Batch& batch) {
  auto alignments = engine.align(batch);
  const auto reader = source.make_reader();
  std::vector<Sample> samples;
  std::vector<model::SpeechRequest> requests;
  for (int row = 0; row < std::min(kSamples, batch.shape.batch); ++row) {
    const uint32_t clip = batch.info.clips[static_cast<size_t>(row)];
    if (reader->fetch(clip)) continue;
    const auto content = reader->content();
    if (!content) continue;
    samples.push_back(
        {std::string(source.id(clip)), std::move(alignments[static_cast<size_t>(row)]), {}});
    requests.push_back({.tokens = {content.value().tokens.begin(), content.value().tokens.end()},
                        .speaker = source.speaker(clip),
                        .language = source.language(clip),
                        .reference = {}});
  }
  auto spoken = engine.speak(requests, {});
  for (size_t i = 0; i < samples.size(); ++i)
    samples[i].spoken = std::move(spoken[i]);
  return samples;
}

SampleWriter::SampleWriter(std::filesystem::path run_folder, const audio::MelOptions& mel)
    : run_folder_(std::move(run_folder)), mel_(mel) {}

SampleWriter::~SampleWriter() {
  if (making_.valid()) making_.wait();
}

SampleWriter::Made SampleWriter::make(uint64_t step, const Sample& sample) const {
  Made made;
  made.id = sample.id;
  const auto folder = run_folder_ / "samples";
  create_folders(folder);
  const std::string name = fmt::format("step-{:08}-{}", step, plain(sample.id));
  const auto alignment = draw_alignment(sample.alignment, fmt::format("{} {}", sample.id, step));
  made.alignment_png = png_bytes(alignment);
  write_file(folder / (name + "-alignment.png"), made.alignment_png);
  made.alignment_width = alignment.width();
  made.alignment_height = alignment.height();
  model::MelData mel = sample.spoken.mel;
  if (mel.frames == 0) return made;
  const auto picture = audio::draw_mel(mel.values, mel_, fmt::format("{} {}", sample.id, step));
  made.mel_png = png_bytes(picture);
  write_file(folder / (name + "-mel.png"), made.mel_png);
  made.mel_width = picture.width();
  made.mel_height = picture.height();
  const auto frames = static_cast<size_t>(mel.frames);
  std::vector<int16_t> sound;
  audio::to_pcm16(audio::GriffinLimCpu(mel_).apply({mel.values.data(), frames, frames}, kSound), 1,
                  sound);
  made.wav = audio::wav_bytes(sound, mel_.sample_rate);
  made.samples = static_cast<int64_t>(sound.size());
  audio::write_wav(folder / (name + ".wav"), sound, mel_.sample_rate);
  return made;
}

SampleWriter::Batch SampleWriter::make(uint64_t step, const std::vector<Sample>& samples) const {
  set_thread_name("samples");
  Batch batch{.step = step, .made = {}};
  for (const Sample& sample : samples)
    batch.made.push_back(make(step, sample));
  return batch;
}

void SampleWriter::start(uint64_t step, std::vector<Sample> samples, EventFile& events) {
  collect(events, true);
  making_ = std::async(std::launch::async,
                       [this, step, samples = std::move(samples)] { return make(step, samples); });
}

void SampleWriter::collect(EventFile& events, bool wait) {
  if (!making_.valid()) return;
  if (!wait && making_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    show(making_.get(), events);
  } catch (const std::exception& problem) {  // training goes on without
    log::warning("samples could not be kept: {}", problem.what());
  }
}

void SampleWriter::show(const Batch& batch, EventFile& events) const {
  const auto step = static_cast<int64_t>(batch.step);
  for (const Made& made : batch.made) {
    events.image("alignment/" + made.id,
                 {made.alignment_png, made.alignment_width, made.alignment_height}, step);
    if (made.samples == 0) continue;
    events.image("mel/" + made.id, {made.mel_png, made.mel_width, made.mel_height}, step);
    events.audio("speech/" + made.id, {made.wav, mel_.sample_rate, made.samples}, step);
  }
  events.flush();
}

}  // namespace seda::train
