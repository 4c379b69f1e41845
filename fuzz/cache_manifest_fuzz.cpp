// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are a manifest or refused with an Error(io); one that is read comes back from its own
// text. Each input is tried as it is, and with a checksum that is right for it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/cache/detail/manifest.h"

namespace {

using namespace seda;
using namespace seda::cache::detail;

void try_to_parse(std::string_view text) {
  try {
    const Manifest manifest = parse_manifest(text, "fuzz");
    if (parse_manifest(to_text(manifest), "again") != manifest) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io) std::abort();
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_to_parse(text);
  const std::string_view body = text.substr(0, text.rfind("\"checksum\""));
  try_to_parse(fmt::format("{}\"checksum\": \"{:016x}\"\n}}\n", body, hash64(body)));
  return 0;
}
