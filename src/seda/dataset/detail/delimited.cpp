// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "seda/dataset/detail/rows.h"

namespace seda::dataset::detail {
namespace {

/// Undoes a CSV writer's quoting, which doubled quotes prove, or those of the header.
std::string unquoted(std::string_view field, Quotes quotes) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
  const std::string_view inner = field.substr(1, field.size() - 2);
  std::string out;
  for (size_t i = 0; i < inner.size(); ++i) {
    out += inner[i];
    if (inner[i] != '"') continue;
    if (i + 1 >= inner.size() || inner[i + 1] != '"') return std::string(field);
    ++i;
  }
  return quotes == Quotes::around || out.size() < inner.size() ? out : std::string(field);
}

/// A lone carriage return inside a line is a space.
std::string plain(std::string_view field, Quotes quotes) {
  field = trim(field);
  std::string out =
      quotes == Quotes::letters ? std::string(field) : std::string(trim(unquoted(field, quotes)));
  for (size_t at = out.find('\r'); at != std::string::npos; at = out.find('\r', at))
    out[at] = ' ';
  return out;
}

std::string joined(std::string_view delimiter_name, size_t least, size_t most) {
  if (least == most) return fmt::format("{} columns between {}", least, delimiter_name);
  return fmt::format("{} to {} columns between {}", least, most, delimiter_name);
}

Fault column_fault(std::string_view line, const Columns& columns, size_t found,
                   const Place& place) {
  const auto* code = found < columns.least ? "columns_too_few" : "columns_too_many";
  const auto* delimiter = columns.delimiter == '\t' ? "tabs" : "'|'";
  return {place.text(), code,
          fmt::format("{}: expected {} ({}), found {}: '{}'", place.text(),
                      joined(delimiter, columns.least, columns.most), columns.expected, found,
                      excerpt(line))};
}

/// Whether a field in quotes holds a delimiter: a quote begins a cell and another cell ends with
/// the one that closes it.
bool splits_a_quoted_field(const std::vector<std::string_view>& cells) {
  bool open = false;
  for (const std::string_view cell : cells) {
    const auto field = trim(cell);
    if (std::ranges::count(field, '"') % 2 == 0) continue;
    const bool begins = field.starts_with('"') && field.size() > 1;
    if (open && !begins && field.ends_with('"')) return true;
    open = begins;
  }
  return false;
}

Fault quote_fault(std::string_view line, const Columns& columns, const Place& place) {
  const auto* delimiter = columns.delimiter == '\t' ? "tab" : "'|'";
  return {place.text(), "text_has_delimiter",
          fmt::format("{}: expected no {} within a column, quoted or not, found '{}'", place.text(),
                      delimiter, excerpt(line))};
}

std::optional<double> parse_duration(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<Record> check_record(Record record, const Place& place) {
  Utterance& utterance = record.utterance;
  utterance.source = place.source;
  utterance.line = place.line;
  if (utterance.id.empty() && record.path.empty()) {
    return Fault{place.text(), "id_empty",
                 fmt::format("{}: expected the clip's id or path, found nothing", place.text())};
  }
  if (utterance.text.empty()) {
    return Fault{utterance.id.empty() ? record.path : utterance.id, "text_empty",
                 fmt::format("{}: expected text, found nothing", place.text())};
  }
  return record;
}

Result<Record> parse_row(std::string_view line, const Columns& columns, const Place& place) {
  const auto cells = split_columns(line, columns.delimiter);
  if (splits_a_quoted_field(cells)) return quote_fault(line, columns, place);
  if (cells.size() < columns.least || cells.size() > columns.most) {
    return column_fault(line, columns, cells.size(), place);
  }
  const auto cell = [&](Field field) {
    const auto at = static_cast<size_t>(columns.at(field));  // absent: past every cell
    return at < cells.size() ? plain(cells[at], columns.quotes) : std::string();
  };
  Record record;
  record.utterance.id = cell(Field::id);
  record.path = cell(Field::path);
  record.utterance.text = cell(Field::normalised);
  if (record.utterance.text.empty()) record.utterance.text = cell(Field::text);
  record.utterance.speaker = cell(Field::speaker);
  record.utterance.language = cell(Field::language);
  record.utterance.duration_s = parse_duration(cell(Field::duration));
  return check_record(std::move(record), place);
}

}  // namespace seda::dataset::detail
