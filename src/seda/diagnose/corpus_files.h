// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "seda/dataset/corpus.h"
#include "seda/feed/prepare.h"

namespace seda::diagnose {

/// Every file of the cache that `options` name; none where there is no such folder.
std::vector<std::filesystem::path> cache_files(const feed::PrepareOptions& options);

std::vector<std::filesystem::path> audio_files(const dataset::Corpus& corpus);

uint64_t bytes_of(std::span<const std::filesystem::path> files);

/// Drops the files from the page cache. Share of their bytes that stayed in memory all the same:
/// some file systems live there. Files that are not there are passed over.
double drop_files(std::span<const std::filesystem::path> files);

}  // namespace seda::diagnose
