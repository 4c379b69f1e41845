// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, any language and any order of the steps give UTF-8; the default steps leave no digit
// in English and Persian. The first byte picks the language, the second the order, the rest is the
// line.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/utf8.h"
#include "seda/text/normalizer.h"

namespace {

using seda::text::Diacritics;
using seda::text::Normalizer;

constexpr std::array<std::string_view, 12> kLanguages{"en", "en-gb", "fa", "de", "fr", "ar",
                                                      "hi", "ru",    "ja", "tr", "xx", ""};

/// The default plan, then every rotation of all steps, half of them reversed.
const std::vector<Normalizer>& plans() {
  static const std::vector<Normalizer> all = [] {
    std::vector<std::string> names;
    for (const auto& cleaner : seda::text::cleaners())
      names.emplace_back(cleaner.name);
    std::vector<Normalizer> made;
    made.emplace_back();
    for (size_t i = 0; i < names.size(); ++i) {
      std::rotate(names.begin(), names.begin() + 1, names.end());
      made.emplace_back(seda::text::NormalizerOptions{names, Diacritics::remove});
      made.emplace_back(seda::text::NormalizerOptions{{names.rbegin(), names.rend()}});
    }
    return made;
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string_view language = kLanguages[data[0] % kLanguages.size()];
  const size_t plan = data[1] % plans().size();
  const std::string_view line(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto result = plans()[plan].apply(line, language);
  if (seda::find_invalid_utf8(result.text)) std::abort();
  const bool wordy = language.starts_with("en") || language == "fa";
  const bool digit = result.text.find_first_of("0123456789") != std::string::npos;
  if (plan == 0 && wordy && digit) std::abort();
  return 0;
}
