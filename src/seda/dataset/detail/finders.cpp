// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/finders.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/dataset/detail/columns.h"
#include "seda/dataset/detail/lines.h"
#include "seda/dataset/detail/rows.h"

namespace seda::dataset::detail {
namespace {

using Names = std::vector<std::string>;

constexpr std::array<std::string_view, 4> kTables = {".csv", ".txt", ".psv", ".tsv"};
constexpr std::array<std::string_view, 3> kManifests = {".json", ".jsonl", ".ndjson"};
constexpr int kLibriDepth = 4;  // LibriTTS/<subset>/<speaker>/<chapter>

/// Whether `word` stands in `name` between characters that are not letters.
bool has_word(std::string_view name, std::string_view word) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_letter(name[at - 1])) && (end == name.size() || !is_letter(name[end]))) {
      return true;
    }
  }
  return false;
}

bool has_extension(std::string_view name, std::span<const std::string_view> extensions) {
  return std::ranges::any_of(extensions, [&](auto extension) { return name.ends_with(extension); });
}

/// The split that a file's name says by a word of it (train; val, valid, validation, dev, eval), or
/// nothing.
std::optional<Split> split_of_name(std::string_view name) {
  for (const char* word : {"val", "valid", "validation", "dev", "eval"}) {
    if (has_word(name, word)) return Split::validation;
  }
  return has_word(name, "train") ? std::optional(Split::train) : std::nullopt;
}

/// Of files whose names say their split, those of train and validation; where none says train, all
/// but test files, without a split.
std::vector<MetadataFile> by_split(const Names& names) {
  const bool named = std::ranges::any_of(
      names, [](const auto& name) { return split_of_name(name) == Split::train; });
  std::vector<MetadataFile> files;
  for (const std::string& name : names) {
    if (named && split_of_name(name)) files.push_back({name, split_of_name(name)});
    if (!named && (names.size() == 1 || !has_word(name, "test"))) files.push_back({name, {}});
  }
  const bool held_out =
      std::ranges::any_of(files, [](const auto& file) { return file.split == Split::validation; });
  if (!held_out) {
    for (MetadataFile& file : files)
      file.split.reset();
  }
  return files;
}

Finding finding(const Names& names, std::string_view why) {
  Finding found{by_split(names), {}};
  Names read;
  for (const MetadataFile& file : found.files)
    read.push_back(file.name);
  found.evidence = fmt::format("{} ({})", fmt::join(read, ", "), why);
  return found;
}

/// Files for which `fits` holds.
template <typename Fits>
std::optional<Finding> find_files(const Listing& listing, std::string_view why, Fits fits) {
  Names names;
  for (const std::string& name : listing.files) {
    if (fits(name)) names.push_back(name);
  }
  if (names.empty()) return std::nullopt;
  Finding found = finding(names, why);
  return found.files.empty() ? std::nullopt : std::optional(std::move(found));
}

std::optional<Format> format_of(const Listing& listing, const std::string& name) {
  return format_of_line(read_first_line(listing.folder / name));
}

std::optional<Finding> find_ljspeech(const Listing& listing, bool forced) {
  for (const std::string_view extension : kTables) {
    const std::string name = fmt::format("metadata{}", extension);
    if (!listing.has_file(name)) continue;
    const auto format = format_of(listing, name);
    if (forced || format == Format::ljspeech) return finding({name}, "id|text");
  }
  return std::nullopt;
}

std::optional<Finding> find_split(const Listing& listing) {
  const bool trains = std::ranges::any_of(kTables, [&](std::string_view extension) {
    return listing.has_file(fmt::format("metadata_train{}", extension));
  });
  return find_files(listing, "train and validation apart", [&](const std::string& name) {
    return trains && name.starts_with("metadata_") && split_of_name(name) &&
           has_extension(name, kTables);
  });
}

std::optional<Finding> find_common_voice(const Listing& listing) {
  Names names;
  for (const char* name : {"train.tsv", "dev.tsv", "test.tsv", "validated.tsv"}) {
    if (listing.has_file(name) && format_of(listing, name) == Format::common_voice) {
      names.emplace_back(name);
    }
  }
  if (names.empty()) return std::nullopt;
  constexpr auto kWhy = "columns path and sentence";
  if (names.front() != "train.tsv") return finding({names.back()}, kWhy);
  if (std::ranges::find(names, "dev.tsv") != names.end())
    return finding({"train.tsv", "dev.tsv"}, kWhy);
  return finding({"train.tsv"}, kWhy);
}

std::optional<Finding> find_json_lines(const Listing& listing, bool forced) {
  return find_files(listing, "one object a line", [&](const std::string& name) {
    return has_extension(name, kManifests) &&
           (forced || describes_a_clip(read_first_line(listing.folder / name)));
  });
}

std::optional<Finding> find_table(const Listing& listing, bool forced) {
  return find_files(listing, "path|text rows", [&](const std::string& name) {
    if (!has_extension(name, kTables)) return false;
    const auto format = format_of(listing, name);
    return format == Format::table || (forced && format.has_value());
  });
}

std::optional<Finding> find_vctk(const Listing& listing) {
  if (!listing.has_folder("txt")) return std::nullopt;
  const auto texts = find_below(listing.folder / "txt", {".txt"}, 1, 1);
  if (texts.empty()) return std::nullopt;
  return Finding{{},
                 fmt::format("txt/<speaker>/<id>.txt such as {}",
                             texts[0].lexically_relative(listing.folder).string())};
}

std::optional<Finding> find_libritts(const Listing& listing) {
  const auto texts =
      find_below(listing.folder, {".normalized.txt", ".original.txt"}, kLibriDepth, 1);
  if (texts.empty()) return std::nullopt;
  return Finding{{},
                 fmt::format("<speaker>/<chapter>/<id>.normalized.txt such as {}",
                             texts[0].lexically_relative(listing.folder).string())};
}

}  // namespace

std::optional<Format> format_of_line(std::string_view line) {
  line = trim(line);
  if (line.starts_with('{')) return Format::json_lines;
  if (const auto header = parse_header(line, '\t');
      header && line.find("sentence") != std::string_view::npos) {
    return Format::common_voice;
  }
  const char delimiter = find_delimiter(line);
  if (line.find(delimiter) == std::string_view::npos) return std::nullopt;
  if (parse_header(line, delimiter)) return Format::table;
  return looks_like_path(trim(line.substr(0, line.find(delimiter)))) ? Format::table
                                                                     : Format::ljspeech;
}

std::string_view looked_for(Format format) {
  switch (format) {
    case Format::ljspeech:
      return "metadata.csv with rows id|text";
    case Format::split:
      return "metadata_train.csv";
    case Format::vctk:
      return "txt/<speaker>/<id>.txt";
    case Format::libritts:
      return "<speaker>/<chapter>/<id>.normalized.txt";
    case Format::common_voice:
      return "train.tsv or validated.tsv with columns path and sentence";
    case Format::json_lines:
      return "a .json, .jsonl or .ndjson file with one object a line";
    case Format::table:
      return "a .txt, .csv, .psv or .tsv file with rows path|text or path<tab>text";
  }
  return "";
}

std::optional<Finding> find_format(Format format, const Listing& listing, bool forced) {
  switch (format) {
    case Format::ljspeech:
      return find_ljspeech(listing, forced);
    case Format::split:
      return find_split(listing);
    case Format::vctk:
      return find_vctk(listing);
    case Format::libritts:
      return find_libritts(listing);
    case Format::common_voice:
      return find_common_voice(listing);
    case Format::json_lines:
      return find_json_lines(listing, forced);
    case Format::table:
      return find_table(listing, forced);
  }
  return std::nullopt;
}

}  // namespace seda::dataset::detail
