// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/speak/synthesizer.h"
#include "seda/train/checkpoint.h"

namespace seda::speak {

/// A checkpoint's voice and a vocoder, on a device.
class Studio {
 public:
  /// `vocoder` is `kGriffinLim` or a file of weights; `device` as `parse_device` reads it, empty:
  /// the first GPU, else the CPU. Loads torch.
  Studio(const train::Checkpoint& checkpoint, const std::string& vocoder,
         const std::string& device);

  Instruments instruments() const { return {*voice_, *vocoder_}; }
  device::Device device() const { return stream_.device(); }

 private:
  device::Platform platform_;
  device::Stream stream_;
  device::PlainResource memory_;
  std::unique_ptr<train::Voice> voice_;
  std::unique_ptr<Vocoder> vocoder_;
};

}  // namespace seda::speak
