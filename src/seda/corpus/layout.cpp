// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/layout.h"

#include <fmt/format.h>

namespace seda::corpus {

std::string_view to_string(Layout layout) {
  return layout == Layout::ljspeech ? "ljspeech" : "speakers";
}

std::optional<Layout> parse_layout(std::string_view word) {
  for (const Layout layout : {Layout::ljspeech, Layout::speakers}) {
    if (to_string(layout) == word) return layout;
  }
  return std::nullopt;
}

std::string clip_path(Layout layout, const Clip& clip) {
  if (layout == Layout::ljspeech) return fmt::format("wavs/{}.wav", clip.line->id);
  return fmt::format("wavs/{}/{}.wav", clip.speaker, clip.line->id);
}

std::string metadata_text(Layout layout, const std::vector<Clip>& clips, std::string_view language,
                          bool several) {
  std::string out = layout == Layout::speakers ? "path|text|speaker|language\n" : "";
  for (const Clip& clip : clips) {
    const auto& [id, text, place] = *clip.line;
    if (layout == Layout::speakers) {
      out += fmt::format("{}|{}|{}|{}\n", clip_path(layout, clip), text, clip.speaker, language);
    } else if (several) {
      out += fmt::format("{}|{}|{}|{}\n", id, text, text, clip.speaker);
    } else {
      out += fmt::format("{}|{}|{}\n", id, text, text);
    }
  }
  return out;
}

}  // namespace seda::corpus
