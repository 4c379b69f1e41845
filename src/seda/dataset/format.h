// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seda::dataset {

/// How a corpus lies on disk. Quotes are letters in every format; see `metadata.h` for the one
/// exception.
enum class Format {
  ljspeech,      ///< `metadata.csv`: `id|text[|normalised[|speaker]]`; sound in `wavs/`.
  split,         ///< `metadata_train.csv`, `metadata_eval.csv` (`_val`, `_dev`): so, or a table's.
  vctk,          ///< `txt/<speaker>/<id>.txt`; sound in `wav48_silence_trimmed/`, `wav48/`, `wav/`.
  libritts,      ///< `<subset>/<speaker>/<chapter>/<id>.wav` beside `<id>.normalized.txt`.
  common_voice,  ///< `train.tsv`, `dev.tsv` or `validated.tsv` with a header; sound in `clips/`.
  json_lines,    ///< One object a line: `audio_filepath`, `text`, `duration`, `speaker`, `lang`.
  table,         ///< `path|text[|speaker[|language]]`, by `|` or tab, with or without a header.
};

/// The word of the key `data.format`.
std::string_view to_string(Format format);

/// The format of that word, or nothing.
std::optional<Format> parse_format(std::string_view word);

const std::vector<Format>& all_formats();

}  // namespace seda::dataset
