// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/transcripts.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/dataset/audio_extension.h"
#include "seda/dataset/metadata.h"

namespace seda::corpus {
namespace {

constexpr size_t kLongestId = 200;
constexpr std::string_view kBom = "\xef\xbb\xbf";

std::string place(const std::string& name, uint32_t line) {
  return fmt::format("{}:{}", name, line);
}

Fault delimiter_fault(const std::string& where) {
  return {where, "text_has_delimiter",
          where + ": expected text without '|', which no corpus can hold"};
}

bool has_columns(std::string_view bytes) {
  const size_t begin = bytes.find_first_not_of("\r\n \t");
  if (begin == std::string_view::npos) return false;
  const auto line = bytes.substr(begin, bytes.find_first_of("\r\n", begin) - begin);
  return line.find('|') != std::string_view::npos;
}

/// Plain lines as rows of a corpus: the same checks then hold for both, line by line. Those with a
/// `|`, which no corpus could hold, become faults and blank lines.
std::string as_rows(std::string_view bytes, const std::string& name, std::vector<Fault>& faults) {
  std::string rows;
  uint32_t number = 1;
  const char end = bytes.find('\n') == std::string_view::npos ? '\r' : '\n';
  while (!bytes.empty()) {
    const size_t length = std::min(bytes.find(end), bytes.size());
    const auto line = bytes.substr(0, length);
    if (line.find('|') != std::string_view::npos) {
      faults.push_back(delimiter_fault(place(name, number)));
    } else if (line.find_first_not_of("\r \t") != std::string_view::npos) {
      rows += fmt::format("clip-{:06}|", number);
      rows += line;
    }
    rows += '\n';
    ++number;
    bytes.remove_prefix(std::min(bytes.size(), length + 1));
  }
  return rows;
}

bool is_file_name(std::string_view id) {
  return !id.empty() && !id.starts_with('.') && id.size() <= kLongestId &&
         id.find_first_of("/|") == std::string_view::npos;
}

/// The line's own id, or the name of the file it names under a header; without the extension of a
/// sound file, for a reader of the corpus would take it for the clip's own.
std::string id_of(const dataset::Record& record) {
  std::string id = record.utterance.id.empty()
                       ? std::filesystem::path(record.path).filename().string()
                       : record.utterance.id;
  while (const size_t extension = dataset::audio_extension_length(id))
    id.resize(id.size() - extension);
  return id;
}

/// What speaks against the id, or nothing.
std::string wrong_with(const std::string& id, std::unordered_map<std::string, uint32_t>& known,
                       uint32_t line) {
  if (!is_file_name(id)) {
    return fmt::format(
        "expected an id fit for a file name (no '/' or '|', no '.' first, at most {} bytes)",
        kLongestId);
  }
  const auto [first, fresh] = known.try_emplace(id, line);
  return fresh ? "" : fmt::format("expected a new id, found that of line {} again", first->second);
}

}  // namespace

Transcripts parse_transcripts(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with(kBom)) bytes.remove_prefix(kBom.size());
  Transcripts transcripts;
  const std::string rows =
      has_columns(bytes) ? std::string(bytes) : as_rows(bytes, name, transcripts.faults);
  auto metadata = dataset::parse_metadata(rows, dataset::Format::ljspeech, name);
  std::unordered_map<std::string, uint32_t> known;
  for (dataset::BadLine& bad : metadata.faults)
    transcripts.faults.push_back(std::move(bad.fault));
  for (dataset::Record& record : metadata.records) {
    const std::string where = place(name, record.utterance.line);
    const std::string id = id_of(record);
    if (record.utterance.text.find('|') != std::string::npos) {
      transcripts.faults.push_back(delimiter_fault(where));
    } else if (const auto wrong = wrong_with(id, known, record.utterance.line); !wrong.empty()) {
      transcripts.faults.push_back({id, "id_unusable", fmt::format("{}: {}", where, wrong)});
    } else {
      transcripts.lines.push_back({id, std::move(record.utterance.text), where});
    }
  }
  return transcripts;
}

Transcripts read_transcripts(const std::filesystem::path& file) {
  Transcripts transcripts = parse_transcripts(read_file(file), file.string());
  if (transcripts.lines.empty()) {
    throw_error(ErrorKind::usage, "{}: expected lines of text or rows id|text, found {}",
                file.string(),
                transcripts.faults.empty() ? "nothing" : transcripts.faults[0].evidence);
  }
  return transcripts;
}

std::vector<Line> number_lines(std::vector<std::string> sentences) {
  std::vector<Line> lines;
  lines.reserve(sentences.size());
  for (std::string& sentence : sentences) {
    lines.push_back({fmt::format("clip-{:06}", lines.size() + 1), std::move(sentence), ""});
  }
  return lines;
}

}  // namespace seda::corpus
