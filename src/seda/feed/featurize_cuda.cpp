// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/featurize_cuda.h"

#include <optional>

#include "seda/audio/mel_cuda.h"
#include "seda/base/error.h"
#include "seda/device/check_cuda.h"
#include "seda/device/device_guard_cuda.h"
#include "seda/feed/detail/assemble_cuda.h"
#include "seda/text/tokenizer.h"

namespace seda::feed {
namespace {

void make_mels(const audio::MelCuda& mel, const PackedBatch& clips, const BatchShape& shape,
               const BatchArrays& out, device::StreamView stream) {
  const audio::MelInput input{clips.sounds, audio::SampleType::pcm16, clips.sound_offsets,
                              clips.sound_lengths, clips.batch};
  mel.apply(input, {out.mel, audio::MelType::float32, shape.frames, {}}, stream);
}

}  // namespace

struct FeaturizeCuda::Plan {
  audio::MelOptions options;
  AudioKind kind = AudioKind::pcm16;
  int device = 0;
  std::optional<audio::MelCuda> mel;  // none where mels are stored

  void require(const PackedBatch& clips, const BatchShape& shape) const;
  detail::AssembleTask task_of(const PackedBatch& clips, const BatchShape& shape,
                               const BatchArrays& out) const;
};

void FeaturizeCuda::Plan::require(const PackedBatch& clips, const BatchShape& shape) const {
  if (clips.kind == kind && clips.batch == shape.batch && shape.n_mels == options.n_mels) return;
  throw_error(ErrorKind::internal,
              "features on a GPU: expected {} clips as {} with {} bands, found {} as {} with {}",
              shape.batch, to_string(kind), options.n_mels, clips.batch, to_string(clips.kind),
              shape.n_mels);
}

detail::AssembleTask FeaturizeCuda::Plan::task_of(const PackedBatch& clips, const BatchShape& shape,
                                                  const BatchArrays& out) const {
  return {.sounds = clips.sounds,
          .tokens = clips.tokens,
          .sound_offsets = clips.sound_offsets,
          .token_offsets = clips.token_offsets,
          .sound_lengths = clips.sound_lengths,
          .mel_lengths = clips.mel_lengths,
          .token_lengths = clips.token_lengths,
          .speakers = clips.speakers,
          .languages = clips.languages,
          .out_mel = out.mel,
          .out_tokens = out.tokens,
          .out_mel_mask = out.mel_mask,
          .out_token_mask = out.token_mask,
          .out_mel_lengths = out.mel_lengths,
          .out_token_lengths = out.token_lengths,
          .out_speakers = out.speakers,
          .out_languages = out.languages,
          .batch = shape.batch,
          .frames = shape.frames,
          .token_room = shape.tokens,
          .n_mels = shape.n_mels,
          .silence = audio::mel_silence(options),
          .pad_token = text::kPadToken,
          .mels_are_made = kind == AudioKind::pcm16,
          .n_fft = options.n_fft,
          .hop_length = options.hop_length,
          .padding = audio::mel_padding(options)};
}

FeaturizeCuda::FeaturizeCuda(const audio::MelOptions& mel, AudioKind kind,
                             device::MemoryResource& resource, device::StreamView stream)
    : plan_(std::make_unique<Plan>()) {
  audio::check(mel);
  plan_->options = mel;
  plan_->kind = kind;
  plan_->device = stream.device().index;
  if (kind == AudioKind::pcm16) plan_->mel.emplace(mel, resource, stream);
}

FeaturizeCuda::~FeaturizeCuda() = default;
FeaturizeCuda::FeaturizeCuda(FeaturizeCuda&&) noexcept = default;
FeaturizeCuda& FeaturizeCuda::operator=(FeaturizeCuda&&) noexcept = default;

void FeaturizeCuda::apply(const PackedBatch& clips, const BatchShape& shape, const BatchArrays& out,
                          device::StreamView stream) const {
  plan_->require(clips, shape);
  if (shape.batch == 0) return;
  const device::DeviceGuard guard(plan_->device);
  const detail::AssembleTask task = plan_->task_of(clips, shape, out);
  const auto native = static_cast<cudaStream_t>(stream.native());
  if (const std::optional<audio::MelCuda>& mel = plan_->mel) {
    make_mels(*mel, clips, shape, out, stream);
  } else {
    device::check_cuda(detail::run_place_mels(task, native), "mel placing kernel", plan_->device);
  }
  device::check_cuda(detail::run_assemble(task, native), "assembling kernel", plan_->device);
}

}  // namespace seda::feed
