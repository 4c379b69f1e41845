// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/lines.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/base/utf8.h"
#include "seda/dataset/metadata.h"

namespace seda::dataset::detail {
namespace {

constexpr std::string_view kBom = "\xef\xbb\xbf";
constexpr std::string_view kSpaces = " \t\r";
constexpr size_t kExcerpt = 40;

/// UTF-16 by its mark, or by a NUL in one of the first two bytes.
bool is_utf16(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return true;
  return bytes.size() >= 4 && ((bytes[0] == '\0') != (bytes[1] == '\0')) &&
         ((bytes[0] == '\0') == (bytes[2] == '\0')) && ((bytes[1] == '\0') == (bytes[3] == '\0'));
}

}  // namespace

std::string_view check_encoding(std::string_view bytes, const std::string& source) {
  if (is_utf16(bytes)) {
    throw_error(ErrorKind::io,
                "{}: expected UTF-8, found UTF-16; convert it: iconv -f UTF-16 -t UTF-8 {} > new",
                source, source);
  }
  if (bytes.starts_with(kBom)) bytes.remove_prefix(kBom.size());
  return bytes;
}

void refuse_json_array(std::string_view line, const std::string& source) {
  if (!trim(line).starts_with('[')) return;
  std::filesystem::path lines = source;  // another file: a shell empties it before jq reads
  const bool taken = lines.extension() == ".jsonl";
  lines.replace_filename(lines.stem().string() + (taken ? "-lines.jsonl" : ".jsonl"));
  throw_error(ErrorKind::io,
              "{}: expected one JSON object a line, found an array; convert it: jq -c '.[]' {} > "
              "{}",
              source, source, lines.string());
}

std::vector<std::string_view> split_lines(std::string_view bytes) {
  const char end = bytes.find('\n') == std::string_view::npos ? '\r' : '\n';
  std::vector<std::string_view> lines;
  lines.reserve(bytes.size() / 128 + 1);
  while (!bytes.empty()) {
    const size_t length = std::min(bytes.find(end), bytes.size());
    std::string_view line = bytes.substr(0, length);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    bytes.remove_prefix(std::min(bytes.size(), length + 1));
  }
  return lines;
}

std::string_view first_line(std::string_view bytes) {
  if (bytes.starts_with(kBom)) bytes.remove_prefix(kBom.size());
  for (const std::string_view line : split_lines(bytes)) {
    if (!trim(line).empty()) return line;
  }
  return {};
}

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

std::string Place::text() const {
  return line == 0 ? source : fmt::format("{}:{}", source, line);
}

std::optional<Fault> check_line(std::string_view line, const Place& place) {
  if (line.size() > kLongestLine) {
    return Fault{place.text(), "line_too_long",
                 fmt::format("{}: expected at most {} in a line, found {}", place.text(),
                             format_bytes(kLongestLine), format_bytes(line.size()))};
  }
  if (const size_t at = line.find('\0'); at != std::string_view::npos) {
    return Fault{
        place.text(), "text_has_nul",
        fmt::format("{}: expected text, found a NUL byte at byte {}", place.text(), at + 1)};
  }
  if (const auto at = find_invalid_utf8(line)) {
    return Fault{place.text(), "text_not_utf8",
                 fmt::format("{}: expected UTF-8, found 0x{:02x} at byte {}", place.text(),
                             static_cast<unsigned char>(line[*at]), *at + 1)};
  }
  return std::nullopt;
}

std::string excerpt(std::string_view text) {
  return seda::excerpt(text, kExcerpt);
}

}  // namespace seda::dataset::detail
