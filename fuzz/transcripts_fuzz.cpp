// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are read as transcripts, or refused with an Error(io). What is accepted can be written
// into a corpus: a file name for an id, one line of text without a delimiter.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "seda/base/error.h"
#include "seda/base/utf8.h"
#include "seda/corpus/transcripts.h"
#include "seda/dataset/audio_extension.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const seda::corpus::Transcripts& transcripts) {
  std::set<std::string> ids;
  for (const seda::corpus::Line& line : transcripts.lines) {
    require(!line.id.empty() && line.id.find('/') == std::string::npos && line.id[0] != '.');
    require(seda::dataset::audio_extension_length(line.id) == 0);
    require(ids.insert(line.id).second);
    require(!line.text.empty() && !seda::find_invalid_utf8(line.text));
    require(line.text.find_first_of(std::string_view("|\n\r\0", 4)) == std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    check(seda::corpus::parse_transcripts(bytes, "fuzz"));
  } catch (const seda::Error& error) {
    require(error.kind() == seda::ErrorKind::io);
  }
  return 0;
}
