// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/batch_tensors.h"

#include "seda/base/error.h"

namespace seda::train {

torch::Device torch_device(device::Device device) {
  if (device.is_cpu()) return {torch::kCPU};
  return {torch::kCUDA, static_cast<c10::DeviceIndex>(device.index)};
}

model::ModelBatch batch_tensors(const feed::BatchShape& shape, const feed::BatchArrays& arrays,
                                torch::Device device) {
  const auto numbers = torch::TensorOptions().dtype(torch::kFloat32).device(device);
  const auto integers = torch::TensorOptions().dtype(torch::kInt32).device(device);
  const int64_t batch = shape.batch;
  return {.mel = torch::from_blob(arrays.mel, {batch, shape.n_mels, shape.frames}, numbers),
          .tokens = torch::from_blob(arrays.tokens, {batch, shape.tokens}, integers),
          .mel_lengths = torch::from_blob(arrays.mel_lengths, {batch}, integers),
          .token_lengths = torch::from_blob(arrays.token_lengths, {batch}, integers),
          .speakers = torch::from_blob(arrays.speakers, {batch}, integers),
          .languages = torch::from_blob(arrays.languages, {batch}, integers)};
}

void check_batch(const feed::Batch& batch, device::Device device) {
  const feed::BatchShape& shape = batch.shape;
  if (batch.memory.device() != device) {
    throw_error(ErrorKind::usage, "a batch: expected memory of {}, found that of {}",
                to_string(device), to_string(batch.memory.device()));
  }
  if (shape.batch > 0 && shape.tokens > 0 && shape.frames > 0) return;
  throw_error(ErrorKind::usage, "a batch: expected clips, found {} of {} tokens and {} frames",
              shape.batch, shape.tokens, shape.frames);
}

}  // namespace seda::train
