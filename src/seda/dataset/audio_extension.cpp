// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/audio_extension.h"

#include <algorithm>

#include "seda/base/ascii.h"

namespace seda::dataset {

const std::vector<std::string>& audio_extensions() {
  static const std::vector<std::string> extensions = {".wav", ".flac", ".ogg", ".opus", ".mp3"};
  return extensions;
}

size_t audio_extension_length(std::string_view name) {
  for (const std::string& extension : audio_extensions()) {
    if (name.size() <= extension.size()) continue;
    const auto tail = name.substr(name.size() - extension.size());
    if (std::ranges::equal(tail, extension, [](char a, char b) { return lower_ascii(a) == b; })) {
      return extension.size();
    }
  }
  return 0;
}

}  // namespace seda::dataset
