// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "seda/base/progress.h"
#include "seda/cache/record.h"
#include "seda/dataset/corpus.h"
#include "seda/feed/previous.h"

namespace seda::feed {

/// What the sound of each clip is found by: path below the corpus, size and time of its file.
std::vector<cache::Key> stat_keys(const dataset::Corpus& corpus);

/// The same by the bytes of the files.
///
/// A file is not read again where the last listing has it under the same path, size and time, with
/// sound, by its content; without `previous` every file is. One that cannot be read has the key of
/// its path, size and time: whoever decodes it will say why.
std::vector<cache::Key> content_keys(const dataset::Corpus& corpus, const Previous* previous,
                                     int threads, ProgressStyle style);

}  // namespace seda::feed
