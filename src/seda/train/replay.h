// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "seda/device/buffer.h"
#include "seda/device/memory_resource.h"
#include "seda/feed/batch.h"
#include "seda/train/engine.h"

namespace seda::train {

/// Which batch it was that went wrong.
struct ReplayInfo {
  StepOptions options;
  uint64_t epoch = 0;
  uint32_t bucket = 0;
  std::vector<std::string> utterances;
};

/// Writes a batch, whose arrays are in the host's memory, as safetensors.
void write_replay(const std::filesystem::path& path, const feed::Batch& batch,
                  const ReplayInfo& info);

/// Where an earlier batch of the same update lies, beside the one at `path`: "batch-0.safetensors".
std::filesystem::path path_of_part(const std::filesystem::path& path, int part);

/// A batch that was written, in memory of a device.
struct Replay {
  feed::Batch batch;
  ReplayInfo info;
};

/// Reads it back and copies it to the device of `stream`. What is not such a file is an Error(io).
Replay read_replay(const std::filesystem::path& path, device::MemoryResource& resource,
                   device::StreamView stream);

}  // namespace seda::train
