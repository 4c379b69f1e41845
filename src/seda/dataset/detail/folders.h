// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "seda/dataset/metadata.h"

namespace seda::dataset::detail {

/// Corpora with one text file a clip, walked in sorted order; texts are read in parallel.
///
/// Each record's `path` names its sound relative to the folder. A text that cannot be read is a
/// fault `text_unreadable`. Returned faults have the position of the text file as their line, for
/// order alone; `named_splits` tells whether folders said the split.
struct Walked {
  Metadata metadata;
  bool named_splits = false;
};

/// `txt/<speaker>/<id>.txt`, sound in `wav48_silence_trimmed/<speaker>/<id>_mic1.flac` (or
/// `_mic2`), else in `wav48/`, `wav/` or `wavs/`.
Walked walk_vctk(const std::filesystem::path& folder, int threads);

/// `…/<speaker>/<chapter>/<id>.normalized.txt`, else `.original.txt`. Below a `dev-…` folder:
/// validation. `test-…` is left out where anything else is there.
Walked walk_libritts(const std::filesystem::path& folder, int threads);

}  // namespace seda::dataset::detail
