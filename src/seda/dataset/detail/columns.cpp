// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/columns.h"

#include <algorithm>
#include <utility>

#include "seda/base/ascii.h"
#include "seda/base/error.h"
#include "seda/dataset/audio_extension.h"
#include "seda/dataset/detail/lines.h"

namespace seda::dataset::detail {
namespace {

using Alias = std::pair<std::string_view, Field>;

constexpr std::array<Alias, 31> kAliases = {{
    {"id", Field::id},
    {"utt_id", Field::id},
    {"utterance_id", Field::id},
    {"path", Field::path},
    {"audio", Field::path},
    {"audio_file", Field::path},
    {"audio_filepath", Field::path},
    {"audio_path", Field::path},
    {"file", Field::path},
    {"file_name", Field::path},
    {"file_path", Field::path},
    {"filename", Field::path},
    {"wav", Field::path},
    {"wav_filename", Field::path},
    {"wav_path", Field::path},
    {"text", Field::text},
    {"raw_text", Field::text},
    {"sentence", Field::text},
    {"transcript", Field::text},
    {"transcription", Field::text},
    {"normalized", Field::normalised},
    {"normalised", Field::normalised},
    {"normalized_text", Field::normalised},
    {"normalised_text", Field::normalised},
    {"speaker", Field::speaker},
    {"speaker_id", Field::speaker},
    {"speaker_name", Field::speaker},
    {"client_id", Field::speaker},
    {"language", Field::language},
    {"lang", Field::language},
    {"locale", Field::language},
}};

bool is_quoted(std::string_view name) {
  name = trim(name);
  return name.size() > 2 && name.starts_with('"') && name.ends_with('"');
}

std::optional<Field> field_named(std::string_view name) {
  name = trim(name);
  if (is_quoted(name)) name = name.substr(1, name.size() - 2);
  const std::string word = lower_ascii(name);
  if (word == "duration") return Field::duration;
  for (const auto& [alias, field] : kAliases) {
    if (alias == word) return field;
  }
  return std::nullopt;
}

Columns in_order(std::initializer_list<Field> fields, char delimiter, std::string expected) {
  Columns columns;
  int position = 0;
  for (const Field field : fields)
    columns.at(field) = position++;
  columns.delimiter = delimiter;
  columns.expected = std::move(expected);
  std::ranges::replace(columns.expected, '|', delimiter);
  return columns;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Whether a column after the text is the text as it is spoken, rather than a name: the same, of
/// several words, or about as long where words are not parted.
bool says_the_text(std::string_view column, std::string_view text) {
  if (column == text || column.find(' ') != std::string_view::npos) return true;
  return !is_ascii(column) && 2 * column.size() > text.size();
}

/// Whether a row of train and validation files is one of a table: its first column names a file,
/// and its third, where there is one, a speaker.
bool is_table_row(std::string_view line, char delimiter) {
  const auto cells = split_columns(line, delimiter);
  if (cells.size() < 2 || !looks_like_path(trim(cells[0]))) return false;
  return cells.size() < 3 || !says_the_text(trim(cells[2]), trim(cells[1]));
}

}  // namespace

char find_delimiter(std::string_view line) {
  const size_t at = line.find_first_of("|\t");
  return at == std::string_view::npos ? '|' : line[at];
}

std::vector<std::string_view> split_columns(std::string_view line, char delimiter) {
  std::vector<std::string_view> columns;
  for (;;) {
    const size_t end = line.find(delimiter);
    columns.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return columns;
    line.remove_prefix(end + 1);
  }
}

std::optional<Columns> parse_header(std::string_view line, char delimiter) {
  const auto names = split_columns(line, delimiter);
  Columns columns;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto field = field_named(names[i]);
    if (field && columns.at(*field) < 0) columns.at(*field) = static_cast<int>(i);
  }
  const int text = std::max(columns.at(Field::text), columns.at(Field::normalised));
  const int clip = std::max(columns.at(Field::id), columns.at(Field::path));
  if (text < 0 || clip < 0) return std::nullopt;
  columns.delimiter = delimiter;
  columns.header = true;
  columns.quotes = std::ranges::all_of(names, is_quoted) ? Quotes::around : Quotes::doubled;
  columns.least = static_cast<size_t>(std::max(text, clip)) + 1;
  columns.most = names.size();
  columns.expected = excerpt(trim(line));
  return columns;
}

Columns find_columns(std::string_view line, Format format, const std::string& source) {
  const char delimiter = format == Format::common_voice ? '\t' : find_delimiter(line);
  if (auto columns = parse_header(line, delimiter)) {
    if (format == Format::common_voice) columns->quotes = Quotes::letters;
    return *columns;
  }
  if (format == Format::common_voice) {
    throw_error(ErrorKind::io,
                "{}: expected a first line with the columns path and sentence between tabs, found "
                "'{}'",
                source, excerpt(line));
  }
  if (format == Format::table || (format == Format::split && is_table_row(line, delimiter))) {
    return in_order({Field::path, Field::text, Field::speaker, Field::language}, delimiter,
                    "path|text|speaker|language");
  }
  return in_order({Field::id, Field::text, Field::normalised, Field::speaker}, delimiter,
                  "id|text|normalised|speaker");
}

bool looks_like_path(std::string_view word) {
  return word.find_first_of("/\\") != std::string_view::npos || audio_extension_length(word) > 0;
}

}  // namespace seda::dataset::detail
