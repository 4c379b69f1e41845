// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/speak/synthesizer.h"
#include "seda/train/checkpoint.h"

namespace seda::speak {

struct StudioOptions {
  std::string vocoder = kGriffinLim;    ///< Or a file of weights.
  std::string device;                   ///< For `parse_device`; empty: the first GPU, else the CPU.
  std::optional<bool> mixed_precision;  ///< Speak in bf16; nothing: where `bf16_is_faster`.
};

/// On every GPU, and on a CPU that multiplies bf16.
bool bf16_is_faster(device::Device device);

/// A checkpoint's voice and a vocoder, on a device. On the CPU both heed Ctrl-C between their
/// layers: Error(interrupted).
class Studio {
 public:
  /// Loads torch.
  Studio(const train::Checkpoint& checkpoint, const StudioOptions& options);

  Instruments instruments() const { return {*voice_, *vocoder_}; }
  device::Device device() const { return stream_.device(); }
  /// Of the voice, and of a vocoder that seda trained: "bf16" or "fp32".
  std::string precision() const { return mixed_precision_ ? "bf16" : "fp32"; }

 private:
  device::Platform platform_;
  device::Stream stream_;
  device::PlainResource memory_;
  bool mixed_precision_;
  std::unique_ptr<train::Voice> voice_;
  std::unique_ptr<Vocoder> vocoder_;
};

}  // namespace seda::speak
