// SPDX-License-Identifier: Apache-2.0
#include "seda/text/letter_counts.h"

#include <algorithm>

#include "seda/base/utf8.h"

namespace seda::text {
namespace {

/// Letters by which one language of the script is known from the others. A letter may speak for
/// several; one that all of them have speaks for none.
struct Evidence {
  std::string_view language;
  std::u32string_view letters;
};

constexpr std::array kEvidence = {
    Evidence{"fa", U"پچژگکی"},       Evidence{"ar", U"كيةىأإؤ"},
    Evidence{"ur", U"ٹڈڑںےہھپچگکی"}, Evidence{"ps", U"ټډړږښځڅڼۍېګپچژی"},
    Evidence{"ckb", U"ڕڵۆێەپچژگکی"}, Evidence{"ug", U"ۇۈۋېەڭھپچژگ"},
};

}  // namespace

Script Letters::main_script() const {
  auto best = static_cast<size_t>(Script::common);
  for (size_t i = 0; i < scripts.size(); ++i) {
    if (scripts[i] > scripts[best]) best = i;
  }
  return static_cast<Script>(best);
}

Letters count_letters(std::string_view text) {
  constexpr size_t kTelling = 3;  // letters: "A", "Dr" and "de" are of every language
  Letters letters;
  size_t run = 0;  // letters of the word so far
  for (size_t at = 0; at < text.size();) {
    const Script script = script_of(decode_utf8(text, at));
    if (script == Script::common) {
      run = 0;
      continue;
    }
    ++letters.scripts[static_cast<size_t>(script)];
    if (++run == kTelling) ++letters.words;
  }
  return letters;
}

ArabicScriptGuess guess_arabic_script(std::string_view text) {
  std::array<size_t, kEvidence.size()> votes{};
  size_t telling = 0;
  for (size_t at = 0; at < text.size();) {
    const char32_t character = decode_utf8(text, at);
    if (character < 0x600 || character > 0x6ff) continue;
    bool tells = false;
    for (size_t i = 0; i < kEvidence.size(); ++i) {
      if (kEvidence[i].letters.find(character) == std::u32string_view::npos) continue;
      ++votes[i];
      tells = true;
    }
    telling += tells ? 1 : 0;
  }
  if (telling == 0) return {};
  // The first of equals: what every one of several would allow is taken for Persian.
  const auto best = static_cast<size_t>(std::ranges::max_element(votes) - votes.begin());
  return {kEvidence[best].language,
          static_cast<double>(votes[best]) / static_cast<double>(telling)};
}

}  // namespace seda::text
