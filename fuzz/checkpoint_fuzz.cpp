// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are a checkpoint's description or refused with an Error(io); one that is read comes
// back from its own text. Its table of symbols is read or refused with an Error too. The same of a
// vocoder's description.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/text/tokenizer.h"
#include "seda/train/detail/checkpoint_description.h"
#include "seda/train/vocoder_checkpoint.h"

namespace {

using namespace seda;
using namespace seda::train::detail;

void try_to_read_symbols(const std::string& tokenizer) {
  try {
    text::read_tokenizer(parse_json(tokenizer, "fuzz"), "fuzz");
  } catch (const Error&) {
    return;
  }
}

void try_to_read_vocoder(std::string_view text) {
  train::VocoderCheckpointDescription description;
  try {
    description = train::parse_vocoder_checkpoint(text, "fuzz");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io) std::abort();
    return;
  }
  const std::string written = train::to_text(description);
  if (train::to_text(train::parse_vocoder_checkpoint(written, "again")) != written) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_to_read_vocoder(text);
  CheckpointDescription description;
  try {
    description = parse_checkpoint(text, "fuzz");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io) std::abort();
    return 0;
  }
  const std::string written = to_text(description);
  if (to_text(parse_checkpoint(written, "again")) != written) std::abort();
  try_to_read_symbols(description.voice.tokenizer);
  return 0;
}
