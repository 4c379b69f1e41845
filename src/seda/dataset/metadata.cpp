// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/metadata.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "seda/base/error.h"
#include "seda/base/parallel.h"
#include "seda/dataset/detail/lines.h"
#include "seda/dataset/detail/rows.h"

namespace seda::dataset {
namespace {

using Lines = std::vector<std::string_view>;
using ParseLine = std::function<Result<Record>(std::string_view, const detail::Place&)>;

constexpr size_t kGrain = 4096;  // lines a thread takes at a time

/// What takes a line of the file, and where its data begins.
struct Reader {
  ParseLine parse;
  size_t first = 0;
  char delimiter = '\0';  // '\0': the format has no comments
};

/// The first line that is neither blank nor a comment.
size_t first_filled(const Lines& lines) {
  const auto found = std::ranges::find_if(lines, [](std::string_view line) {
    return !detail::trim(line).empty() &&
           (!line.starts_with('#') || line.find_first_of("|\t") != std::string_view::npos);
  });
  return static_cast<size_t>(found - lines.begin());
}

Reader json_reader(std::string_view line, const std::string& source) {
  detail::refuse_json_array(line, source);
  return {detail::parse_object};
}

Reader delimited_reader(const Lines& lines, Format format, const std::string& source) {
  const size_t first = first_filled(lines);
  const auto columns = detail::find_columns(lines[first], format, source);
  return {[columns](std::string_view line, const detail::Place& place) {
            return detail::parse_row(line, columns, place);
          },
          columns.header ? first + 1 : first, columns.delimiter};
}

bool is_blank(std::string_view line, char delimiter) {
  if (detail::trim(line).empty()) return true;
  return delimiter != '\0' && line.starts_with('#') &&
         line.find(delimiter) == std::string_view::npos;
}

void read_line(std::string_view line, const detail::Place& place, const Reader& reader,
               Metadata& into) {
  if (is_blank(line, reader.delimiter)) {
    ++into.blank_lines;
    return;
  }
  if (auto fault = detail::check_line(line, place)) {
    into.faults.push_back({place.line, std::move(*fault)});
    return;
  }
  auto record = reader.parse(line, place);
  if (record) {
    into.records.push_back(std::move(record).value());
  } else {
    into.faults.push_back({place.line, record.fault()});
  }
}

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from = {};
}

Metadata joined(std::vector<Metadata>& pieces) {
  size_t records = 0;
  for (const Metadata& piece : pieces)
    records += piece.records.size();
  Metadata whole;
  whole.records.reserve(records);
  for (Metadata& piece : pieces) {
    append(whole.records, piece.records);
    append(whole.faults, piece.faults);
    whole.blank_lines += piece.blank_lines;
  }
  return whole;
}

}  // namespace

Metadata parse_metadata(std::string_view bytes, Format format, const std::string& source,
                        int threads) {
  const Lines lines = detail::split_lines(detail::check_encoding(bytes, source));
  const size_t filled = first_filled(lines);
  if (filled == lines.size()) return {{}, {}, lines.size()};
  const Reader reader = format == Format::json_lines ? json_reader(lines[filled], source)
                                                     : delimited_reader(lines, format, source);
  std::vector<Metadata> pieces((lines.size() + kGrain - 1) / kGrain);
  parallel_for(lines.size(), {threads, kGrain, "metadata"}, [&](size_t begin, size_t end) {
    Metadata& piece = pieces[begin / kGrain];
    for (size_t i = begin; i < end; ++i) {
      const bool header = i >= filled && i < reader.first;
      if (!header) read_line(lines[i], {source, static_cast<uint32_t>(i + 1)}, reader, piece);
    }
  });
  return joined(pieces);
}

}  // namespace seda::dataset
