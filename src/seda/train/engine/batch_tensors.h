// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/device/device.h"
#include "seda/feed/batch.h"
#include "seda/model/voice_model.h"

namespace seda::train {

torch::Device torch_device(device::Device device);

/// The arrays as tensors, in place: they live as long as the memory does.
model::ModelBatch batch_tensors(const feed::BatchShape& shape, const feed::BatchArrays& arrays,
                                torch::Device device);

/// Error(usage) where a batch is not of that device, or has no clip.
void check_batch(const feed::Batch& batch, device::Device device);

}  // namespace seda::train
