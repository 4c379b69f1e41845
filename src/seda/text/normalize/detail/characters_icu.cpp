// SPDX-License-Identifier: Apache-2.0
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "seda/base/error.h"
#include "seda/text/normalize/characters.h"

namespace seda::text {
namespace {

void require(UErrorCode status, const char* what) {
  if (U_FAILURE(status) != 0) {
    throw_error(ErrorKind::unavailable,
                "ICU cannot give {}: {}. Its data (libicudata) must be installed with it", what,
                u_errorName(status));
  }
}

const icu::Normalizer2& nfc() {
  static const icu::Normalizer2* const form = [] {
    UErrorCode status = U_ZERO_ERROR;
    const auto* found = icu::Normalizer2::getNFCInstance(status);
    require(status, "NFC");
    return found;
  }();
  return *form;
}

const icu::Normalizer2& nfkc() {
  static const icu::Normalizer2* const form = [] {
    UErrorCode status = U_ZERO_ERROR;
    const auto* found = icu::Normalizer2::getNFKCInstance(status);
    require(status, "NFKC");
    return found;
  }();
  return *form;
}

icu::StringPiece piece(std::string_view text) {
  return {text.data(), static_cast<int32_t>(text.size())};
}

bool has(char32_t character, uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & mask) != 0;
}

}  // namespace

bool is_word_character(char32_t character) {
  if (character < 0x80) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z');
  }
  return has(character, U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_NL_MASK);
}

bool is_unspeakable(char32_t character) {
  return has(character, U_GC_CC_MASK | U_GC_CN_MASK | U_GC_CO_MASK | U_GC_CS_MASK);
}

bool is_space_character(char32_t character) {
  return (character >= 0x09 && character <= 0x0d) || character == 0x85 ||
         has(character, U_GC_Z_MASK);
}

int digit_value(char32_t character) {
  if (character < 0x80) return character >= '0' && character <= '9' ? int(character - '0') : -1;
  return u_charDigitValue(static_cast<UChar32>(character));
}

bool is_emoji(char32_t character) {
  return character >= 0x231a &&
         u_hasBinaryProperty(static_cast<UChar32>(character), UCHAR_EMOJI_PRESENTATION) != 0;
}

bool is_text_emoji(char32_t character) {
  return character >= 0x203c && character != 0x2122 &&
         u_hasBinaryProperty(static_cast<UChar32>(character), UCHAR_EMOJI) != 0;
}

void append_compatible(std::string& out, char32_t character) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString from(static_cast<UChar32>(character));
  nfkc().normalize(from, status).toUTF8String(out);
  require(status, "NFKC");
}

bool compose(std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  if (nfc().isNormalizedUTF8(piece(text), status) != 0 && U_SUCCESS(status) != 0) return false;
  std::string composed;
  icu::StringByteSink<std::string> sink(&composed);
  status = U_ZERO_ERROR;
  nfc().normalizeUTF8(0, piece(text), sink, nullptr, status);
  require(status, "NFC");
  text = std::move(composed);
  return true;
}

std::string to_lower(std::string_view text, std::string_view language) {
  UErrorCode status = U_ZERO_ERROR;
  std::string lower;
  icu::StringByteSink<std::string> sink(&lower);
  icu::CaseMap::utf8ToLower(std::string(language).c_str(), 0, piece(text), sink, nullptr, status);
  require(status, "lower case");
  return lower;
}

}  // namespace seda::text
