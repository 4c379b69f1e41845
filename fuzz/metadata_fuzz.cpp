// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are read as metadata of every format, or refused with an Error(io). What is accepted is
// whole: an id or a path, a text, no NUL, no line break.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "seda/base/error.h"
#include "seda/base/utf8.h"
#include "seda/dataset/metadata.h"

namespace {

using namespace seda::dataset;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Record& record) {
  const Utterance& said = record.utterance;
  require(!said.text.empty() && (!said.id.empty() || !record.path.empty()));
  for (const auto* field : {&said.id, &said.text, &said.speaker, &said.language, &record.path}) {
    require(field->find_first_of(std::string_view("\0\n\r", 3)) == std::string::npos);
    require(!seda::find_invalid_utf8(*field));
  }
  require(!said.duration_s || *said.duration_s >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const Format format :
       {Format::ljspeech, Format::common_voice, Format::json_lines, Format::table}) {
    try {
      const auto metadata = parse_metadata(bytes, format, "fuzz");
      for (const Record& record : metadata.records)
        check(record);
      for (const BadLine& bad : metadata.faults)
        require(bad.line > 0 && !bad.fault.code.empty() && !bad.fault.evidence.empty());
    } catch (const seda::Error& error) {
      require(error.kind() == seda::ErrorKind::io);
    }
  }
  return 0;
}
