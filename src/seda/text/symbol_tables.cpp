// SPDX-License-Identifier: Apache-2.0
#include "seda/text/symbol_tables.h"

#include <algorithm>

#include "seda/base/utf8.h"

namespace seda::text {
namespace {

constexpr std::u32string_view kPunctuation = U" .,;:!?-–—…'’\"“”«»()[]{}¡¿،؛؟۔。、！？/";

constexpr std::u32string_view kLatin =
    U"abcdefghijklmnopqrstuvwxyz"
    U"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// Vowels, consonants, then what modifies them; digits are tones.
constexpr std::u32string_view kIpa =
    U"ɐɑɒæɓʙβɔɕçɗɖðʤəɘɚɛɜɝɞɟʄɡɠɢʛɦɧħɥʜɨɪʝɭɬɫɮʟɱɯɰŋɳɲɴøɵɸθœɶʘɹɺɾɻʀʁɽʂʃʈʧʉʊʋⱱʌɣɤʍχʎʏʑʐʒʔʡʕʢǀǁǂǃ"
    U"ᵻᵊᵝⁿˡ"
    U"ˈˌːˑ˘ʼʴʰʱʲʷˠˤ˞ˀ↓↑→↗↘˥˦˧˨˩0123456789"
    U"\u0300\u0301\u0302\u0303\u0304\u0306\u030a\u030b\u030c\u030f\u0318\u0319\u031a\u031c"
    U"\u031d\u031e\u031f\u0320\u0324\u0325\u0329\u032a\u032c\u032f\u0330\u0334\u0339\u033a\u033b"
    U"\u033c\u033d\u035c\u0361";

constexpr std::u32string_view kArabicScript =
    U"ءآأؤإئابةتثجحخدذرزسشصضطظعغفقلمنهوىيپچژکگۀی\u200c\u064b\u064c\u064d\u064e\u064f\u0650\u0651"
    U"\u0652\u0653\u0654\u0670";

void append(std::vector<std::string>& out, std::u32string_view characters) {
  for (const char32_t character : characters) {
    std::string symbol;
    append_utf8(symbol, character);
    if (std::ranges::find(out, symbol) == out.end()) out.push_back(std::move(symbol));
  }
}

/// Accented letters of Western, Central and Northern Europe.
std::u32string accented_latin() {
  std::u32string letters;
  for (char32_t letter = 0xc0; letter <= 0x17f; ++letter) {
    if (letter != U'×' && letter != U'÷') letters += letter;
  }
  return letters;
}

}  // namespace

const std::vector<std::string>& phoneme_symbols() {
  static const auto symbols = [] {
    std::vector<std::string> out;
    append(out, kPunctuation);
    append(out, kLatin);
    append(out, kIpa);
    return out;
  }();
  return symbols;
}

std::vector<std::string> character_symbols(const std::vector<std::string>& languages) {
  std::vector<std::string> out;
  append(out, kPunctuation);
  append(out, kLatin);
  append(out, accented_latin());
  append(out, kArabicScript);
  for (const std::string& language : languages)
    append(out, alphabet(language));
  return out;
}

}  // namespace seda::text
