// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/result.h"

namespace seda::corpus {

/// Something to be said, and the name of its clip.
struct Line {
  std::string id;     ///< Fit for a file name.
  std::string text;   ///< As written.
  std::string place;  ///< `file:line`; empty for a composed sentence.

  bool operator==(const Line&) const = default;
};

struct Transcripts {
  std::vector<Line> lines;    ///< In the order of the file.
  std::vector<Fault> faults;  ///< Lines that cannot be used, with file:line.
};

/// Reads what is to be said: `id|text` rows as in a corpus (a third column, where not empty, is
/// what is said), or plain lines, which are named `clip-000012` by their line. The first line that
/// is not blank decides which.
///
/// An id that ends with the extension of a sound file ("a.wav") loses it.
/// An id that is no file name, one that comes twice, and `|` in a plain line are faults. A file
/// that cannot be read, or without a single usable line, is an Error.
Transcripts read_transcripts(const std::filesystem::path& file);

/// The same from bytes; `name` stands in messages. No line at all is fine here.
Transcripts parse_transcripts(std::string_view bytes, const std::string& name);

/// Sentences as lines, named by their position from 1.
std::vector<Line> number_lines(std::vector<std::string> sentences);

}  // namespace seda::corpus
