// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "seda/config/config.h"
#include "seda/dataset/corpus.h"
#include "seda/device/platform.h"
#include "seda/feed/open_clips.h"
#include "seda/feed/prepare.h"

namespace seda::feed {

/// Threads that `data.num_workers` asks for; 0: as many as cores.
int worker_threads(const config::Config& config);

/// How a corpus is prepared: the same for every verb, so that what one prepares another finds.
///
/// Whether there is a GPU decides what is kept where the configuration does not. `platform` may be
/// null: devices are then looked for only where that matters, since starting CUDA takes its time.
PrepareOptions prepare_options(const config::Config& config, const std::filesystem::path& corpus,
                               const device::Platform* platform = nullptr);

/// The same and how its cache is opened.
OpenOptions open_options(const config::Config& config, const std::filesystem::path& corpus,
                         const device::Platform* platform = nullptr);

}  // namespace seda::feed
