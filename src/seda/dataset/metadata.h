// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/result.h"
#include "seda/dataset/format.h"
#include "seda/dataset/utterance.h"

namespace seda::dataset {

constexpr size_t kLongestLine = size_t{1} << 20;

/// One line of metadata: an utterance whose sound was not looked up yet.
struct Record {
  Utterance utterance;  ///< `id` is empty where the format gives a path; `audio` is empty.
  std::string path;     ///< As written; empty where the format gives an id.
  uint32_t file = 0;    ///< Which metadata file, for the order of faults.
};

/// A line that gives no utterance.
struct BadLine {
  uint32_t line = 0;
  Fault fault;
};

struct Metadata {
  std::vector<Record> records;  ///< In the order of the lines.
  std::vector<BadLine> faults;  ///< Likewise.
  uint64_t blank_lines = 0;
};

/// Reads the bytes of one metadata file: ljspeech, split, common_voice, json_lines or table.
///
/// A byte order mark is skipped. Lines end with LF or CRLF; with CR alone where the file has no LF,
/// and otherwise a lone CR is a space. A header is found by its names. Quotes are letters, with one
/// exception: in a file with a header, other than Common Voice's, a field wrapped in quotes whose
/// inner quotes are all doubled was written by a CSV writer, which is undone; where the header's
/// names are in quotes, any field that is wrapped.
///
/// Bad lines are faults; UTF-16, a JSON array in place of lines, or a Common Voice table without
/// its header is an Error(io). `source` is the name in messages. Any bytes will do; the result does
/// not depend on `threads`.
Metadata parse_metadata(std::string_view bytes, Format format, const std::string& source,
                        int threads = 1);

}  // namespace seda::dataset
