// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/dataset/format.h"

namespace seda::dataset::detail {

enum class Field { id, path, text, normalised, speaker, language, duration };
constexpr size_t kFields = 7;

/// What quotes around a field are.
enum class Quotes {
  letters,
  doubled,  ///< A CSV writer's, where all quotes between them are doubled.
  around,   ///< A CSV writer's: the header's names have them, too.
};

/// Which column of a delimited file holds which field.
struct Columns {
  std::array<int, kFields> position{-1, -1, -1, -1, -1, -1, -1};
  char delimiter = '|';
  size_t least = 2;     ///< Columns a row must have,
  size_t most = 4;      ///< and may have.
  bool header = false;  ///< The first line that is not blank names them.
  Quotes quotes = Quotes::letters;
  std::string expected;  ///< `id|text|normalised|speaker`, for messages.

  int at(Field field) const { return position[static_cast<size_t>(field)]; }
  int& at(Field field) { return position[static_cast<size_t>(field)]; }
};

/// `|` or tab, whichever comes first in the line; `|` where neither does.
char find_delimiter(std::string_view line);

/// The pieces of `line` between delimiters, as they stand.
std::vector<std::string_view> split_columns(std::string_view line, char delimiter);

/// The columns that `line` names, or nothing where it is not a header: one must name the text and
/// one the clip, by id or path.
std::optional<Columns> parse_header(std::string_view line, char delimiter);

/// Columns of a file whose first line that is not blank is `line`. Files of a split whose rows
/// begin with a path and have no normalised text hold the rows of a table. Common Voice without its
/// header is an Error(io).
Columns find_columns(std::string_view line, Format format, const std::string& source);

/// Whether `word` names a sound file: it has a folder or a known extension.
bool looks_like_path(std::string_view word);

}  // namespace seda::dataset::detail
