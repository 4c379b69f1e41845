// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/plan.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/units.h"
#include "seda/dataset/detail/finders.h"
#include "seda/dataset/detail/lines.h"

namespace seda::dataset::detail {
namespace {

namespace fs = std::filesystem;

constexpr size_t kNamesShown = 8;

/// Most telling first; a table is what any file with rows may be.
const std::vector<Format>& order_of_looking() {
  static const std::vector<Format> order = {Format::common_voice, Format::split, Format::ljspeech,
                                            Format::json_lines,   Format::vctk,  Format::libritts,
                                            Format::table};
  return order;
}

std::string some_of(const std::vector<std::string>& names, std::string_view what) {
  if (names.empty()) return fmt::format("no {}s", what);
  const auto end = names.begin() + static_cast<ptrdiff_t>(std::min(names.size(), kNamesShown));
  return fmt::format("{} ({}{})", format_count(names.size(), what),
                     fmt::join(names.begin(), end, ", "), names.size() > kNamesShown ? ", …" : "");
}

[[noreturn]] void throw_nothing_fits(const Listing& listing, const std::vector<Format>& tried) {
  std::string looked;
  for (const Format format : tried) {
    looked +=
        fmt::format("{}{} ({})", looked.empty() ? "" : "; ", looked_for(format), to_string(format));
  }
  throw_error(
      ErrorKind::usage,
      "no corpus found in {}: looked for {}; found {} and {}. Name the metadata file itself, "
      "set data.format, or write rows path|text|speaker|language into metadata.csv",
      listing.folder.string(), looked, some_of(listing.files, "file"),
      some_of(listing.folders, "folder"));
}

/// A CSV file with commas is why nothing fits: an Error(usage) then says so.
void refuse_other_delimiters(const Listing& listing) {
  for (const std::string& name : listing.files) {
    if (fs::path(name).extension() != ".csv") continue;
    const fs::path file = listing.folder / name;
    const std::string line = read_first_line(file);
    if (line.find_first_of(",;") == std::string::npos || format_of_line(line)) continue;
    throw_error(
        ErrorKind::usage,
        "{}: expected | or tabs between columns, found neither in the first line: '{}'; save "
        "it with | between columns",
        file.string(), excerpt(line));
  }
}

/// UTF-16 is why a file that should fit does not: an Error(io) then says so.
void refuse_utf16(const Listing& listing) {
  for (const std::string& name : listing.files) {
    const auto extension = fs::path(name).extension();
    if (extension == ".csv" || extension == ".tsv" || extension == ".txt" ||
        extension == ".jsonl") {
      check_encoding(read_head(listing.folder / name), (listing.folder / name).string());
    }
  }
}

/// A JSON array is why nothing fits: an Error(io) then says so.
void refuse_arrays(const Listing& listing) {
  for (const std::string& name : listing.files) {
    const fs::path file = listing.folder / name;
    const auto extension = file.extension();
    if (extension == ".json" || extension == ".jsonl" || extension == ".ndjson")
      refuse_json_array(read_first_line(file), file.string());
  }
}

Plan plan_file(const fs::path& file, std::optional<Format> format) {
  const fs::path folder = folder_of(file);
  const std::string name = file.filename().string();
  check_encoding(read_head(file), file.string());
  const std::string line = read_first_line(file);
  const auto seen = format_of_line(line);
  if (format == Format::vctk || format == Format::libritts) {
    throw_error(ErrorKind::usage, "{}: expected the folder of a {} corpus, found a file",
                file.string(), to_string(*format));
  }
  if (!format && !seen) {
    refuse_json_array(line, file.string());
    throw_error(ErrorKind::usage,
                "{}: expected rows with | or tabs between columns, or one JSON object a line, "
                "found neither in the first line: '{}'",
                file.string(), excerpt(line));
  }
  const Format chosen = format ? *format : *seen;
  const auto evidence =
      fmt::format("{} was named{}", name, format ? "" : ", its first line decides");
  return {folder, chosen, evidence, {{name, std::nullopt}}};
}

}  // namespace

Plan make_plan(const fs::path& given, std::optional<Format> format) {
  std::error_code error;
  const auto status = fs::status(given, error);
  if (!fs::exists(status)) {
    throw_error(ErrorKind::usage, "expected a corpus in {}, found nothing", given.string());
  }
  if (!fs::is_directory(status)) return plan_file(given, format);
  const Listing listing = list_folder(given);
  const auto tried = format ? std::vector{*format} : order_of_looking();
  for (const Format candidate : tried) {
    if (auto found = find_format(candidate, listing, format.has_value())) {
      return {given, candidate, std::move(found->evidence), std::move(found->files)};
    }
  }
  refuse_utf16(listing);
  refuse_other_delimiters(listing);
  refuse_arrays(listing);
  throw_nothing_fits(listing, tried);
}

}  // namespace seda::dataset::detail
