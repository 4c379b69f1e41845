// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "seda/device/platform.h"
#include "seda/train/engine.h"
#include "seda/train/run_setup.h"

namespace seda::train {

/// Mean losses over the validation clips, at most 64 batches of them, in their own order and with
/// the same noise each time: only the weights make a difference. A batch weighs by its real frames
/// and by how many of its clips are new: the last of a shape is filled up with clips of before.
///
/// `setup.validation` is there. One rank does it, for all. `visit` sees each batch, on the model's
/// device, and its number. Asked to stop: Error(interrupted).
StepLosses validate(Engine& engine, const RunSetup& setup, const device::Platform& platform,
                    device::StreamView stream,
                    const std::function<void(const feed::Batch&, size_t)>& visit);

/// Error(check_failed) with the cures where the loss after `updates` is not finite.
void require_finite_validation(bool finite, uint64_t updates);

}  // namespace seda::train
