// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "seda/audio/mel_options.h"
#include "seda/device/device.h"

namespace seda::cli {

/// Makes the mel of one sound at a time. Thread-safe.
class MelMaker {
 public:
  MelMaker() = default;
  virtual ~MelMaker() = default;
  MelMaker(const MelMaker&) = delete;
  MelMaker& operator=(const MelMaker&) = delete;

  /// `[n_mels, frames]`, valid until this thread's next call; empty where the sound has no frame.
  virtual std::span<const float> make(std::span<const int16_t> samples) = 0;
};

/// On the CPU or a GPU; Error(unavailable) where that is not there.
std::unique_ptr<MelMaker> make_mel_maker(device::Device device, const audio::MelOptions& options);

}  // namespace seda::cli
