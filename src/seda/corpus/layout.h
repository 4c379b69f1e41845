// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/corpus/transcripts.h"

namespace seda::corpus {

/// How a practice corpus lies on disk; `dataset::read_corpus` finds both by looking.
enum class Layout {
  ljspeech,  ///< `metadata.csv` with `id|text|text` (and the speaker, of several), `wavs/<id>.wav`.
  speakers,  ///< `metadata.csv` with `path|text|speaker|language`, `wavs/<speaker>/<id>.wav`.
};

std::string_view to_string(Layout layout);
std::optional<Layout> parse_layout(std::string_view word);

/// A clip that was said.
struct Clip {
  const Line* line = nullptr;
  std::string speaker;
};

/// Where the clip's sound lies, relative to the corpus.
std::string clip_path(Layout layout, const Clip& clip);

/// All of `metadata.csv`. `several` speakers are named in ljspeech, too.
std::string metadata_text(Layout layout, const std::vector<Clip>& clips, std::string_view language,
                          bool several);

}  // namespace seda::corpus
