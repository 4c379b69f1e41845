// SPDX-License-Identifier: Apache-2.0
//
// What a file of a vocoder's weights says of itself, given as lines NAME=JSON, is read or refused
// with an Error(io). A Vocos generator that is read comes back from its own metadata, and has the
// numbers that were written.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/model/hifigan_options.h"
#include "seda/model/vocos_options.h"

namespace {

using namespace seda;

using Metadata = std::map<std::string, std::string>;

void require(bool holds) {
  if (!holds) std::abort();
}

Metadata metadata_of(std::string_view text) {
  Metadata out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t mark = line.find('=');
    if (mark == std::string_view::npos) continue;
    out[std::string(line.substr(0, mark))] = std::string(line.substr(mark + 1));
  }
  return out;
}

/// Whether `read` came to its end, and not to an Error(io).
template <typename Read>
bool is_read(const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::io);
    return false;
  }
}

void try_vocos(const Metadata& metadata) {
  model::VocosOptions options;
  if (!is_read([&] { options = model::read_vocos_metadata(metadata); })) return;
  const Metadata written = model::vocos_metadata(options);
  require(model::is_vocos(written) && model::read_vocos_metadata(written) == options);
  const Json given = parse_json(metadata.at("network"), "given");
  const Json read = model::describe(options);
  for (const auto& [name, value] : read.items()) {
    if (value.is_number_integer()) require(given.at(name) == value);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Metadata metadata = metadata_of({reinterpret_cast<const char*>(data), size});
  try_vocos(metadata);
  is_read([&] { model::read_hifigan_options(metadata); });
  return 0;
}
