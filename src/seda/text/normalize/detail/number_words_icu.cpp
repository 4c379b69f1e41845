// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <map>

#include <unicode/dcfmtsym.h>
#include <unicode/locid.h>
#include <unicode/plurrule.h>
#include <unicode/rbnf.h>
#include <unicode/ucurr.h>

#include "seda/text/normalize/number_words.h"
#include "seda/text/normalize/scan.h"

namespace seda::text {
namespace {

/// Of digits with a point, whatever the process' locale has for one.
double value_of(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string to_utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  std::erase(out, '\0');
  for (size_t soft = out.find("\u00ad"); soft != std::string::npos; soft = out.find("\u00ad", soft))
    out.erase(soft, 2);
  return out;
}

char ascii_sign(const icu::UnicodeString& sign, char fallback) {
  const char16_t unit = sign.isEmpty() ? u'\0' : sign.charAt(0);
  if (unit == u'\u00a0' || unit == u'\u202f') return ' ';
  if (unit == u'\u2019') return '\'';
  if (unit == u'\u066b') return '.';
  if (unit == u'\u066c') return ',';
  return unit > 0x20 && unit < 0x7f ? static_cast<char>(unit) : fallback;
}

bool has_rules(const icu::RuleBasedNumberFormat& format, const icu::UnicodeString& name) {
  for (int32_t i = 0; i < format.getNumberOfRuleSetNames(); ++i) {
    if (format.getRuleSetName(i) == name) return true;
  }
  return false;
}

/// Ordinals come by gender in many languages; then the masculine is taken.
icu::UnicodeString ordinal_rules(const icu::RuleBasedNumberFormat& format) {
  for (const char* name :
       {"%spellout-ordinal", "%spellout-ordinal-masculine", "%spellout-ordinal-neuter"}) {
    if (has_rules(format, name)) return name;
  }
  return {};
}

/// For a language that it does not know ICU gives the rules of another.
bool speaks(const icu::RuleBasedNumberFormat& format, const icu::Locale& locale) {
  UErrorCode status = U_ZERO_ERROR;
  const std::string actual = format.getLocale(ULOC_ACTUAL_LOCALE, status).getLanguage();
  return U_SUCCESS(status) != 0 && !actual.empty() && actual == locale.getLanguage();
}

}  // namespace

struct NumberWords::Formats {
  icu::Locale locale;
  std::unique_ptr<icu::RuleBasedNumberFormat> spellout;
  std::unique_ptr<icu::PluralRules> plurals;
  icu::UnicodeString ordinals;
  Separators separators;

  std::string format(int64_t value, const icu::UnicodeString& rules = {}) const {
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeString out;
    icu::FieldPosition position;
    if (rules.isEmpty()) {
      spellout->format(value, out, position, status);
    } else {
      spellout->format(value, rules, out, position, status);
    }
    return U_SUCCESS(status) != 0 ? to_utf8(out) : std::string();
  }

  std::string format(double value) const {
    icu::UnicodeString out;
    spellout->format(value, out);
    return to_utf8(out);
  }
};

NumberWords::NumberWords(std::unique_ptr<Formats> formats) : formats_(std::move(formats)) {}
NumberWords::~NumberWords() = default;

std::unique_ptr<NumberWords> NumberWords::make(std::string_view language) {
  auto formats = std::make_unique<Formats>();
  formats->locale = icu::Locale::createCanonical(std::string(language).c_str());
  UErrorCode status = U_ZERO_ERROR;
  formats->spellout =
      std::make_unique<icu::RuleBasedNumberFormat>(icu::URBNF_SPELLOUT, formats->locale, status);
  if (U_FAILURE(status) != 0 || !speaks(*formats->spellout, formats->locale)) return nullptr;
  formats->ordinals = ordinal_rules(*formats->spellout);
  formats->plurals.reset(icu::PluralRules::forLocale(formats->locale, status));
  const icu::DecimalFormatSymbols symbols(formats->locale, status);
  using Sign = icu::DecimalFormatSymbols;
  const auto sign = [&](Sign::ENumberFormatSymbol which) { return symbols.getSymbol(which); };
  formats->separators = {ascii_sign(sign(Sign::kGroupingSeparatorSymbol), ','),
                         ascii_sign(sign(Sign::kDecimalSeparatorSymbol), '.')};
  if (U_FAILURE(status) != 0) return nullptr;
  return std::unique_ptr<NumberWords>(new NumberWords(std::move(formats)));
}

const NumberWords* NumberWords::for_language(std::string_view language) {
  constexpr size_t kMostLanguages = 64;  // codes come from outside: they must not fill the memory
  static thread_local std::map<std::string, std::unique_ptr<NumberWords>, std::less<>> made;
  const auto found = made.find(language);
  if (found != made.end()) return found->second.get();
  if (made.size() >= kMostLanguages) made.clear();
  return made.emplace(std::string(language), make(language)).first->second.get();
}

Separators NumberWords::separators() const {
  return formats_->separators;
}

std::string NumberWords::cardinal(uint64_t value) const {
  return formats_->format(static_cast<int64_t>(value));
}

std::string NumberWords::ordinal(uint64_t value) const {
  if (formats_->ordinals.isEmpty()) return {};
  return formats_->format(static_cast<int64_t>(value), formats_->ordinals);
}

std::string NumberWords::digits(std::string_view text) const {
  std::string out;
  for (const char c : text) {
    if (is_digit(c)) append_word(out, cardinal(static_cast<uint64_t>(c - '0')));
  }
  return out;
}

std::string NumberWords::point() const {
  const std::string one = cardinal(1);
  const std::string five = cardinal(5);
  const std::string half = formats_->format(1.5);
  if (!half.starts_with(one) || !half.ends_with(five)) return {};
  if (half.size() <= one.size() + five.size()) return {};
  const std::string between = half.substr(one.size(), half.size() - one.size() - five.size());
  const size_t first = between.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return between.substr(first, between.find_last_not_of(' ') - first + 1);
}

std::string NumberWords::decimal(const Numeral& numeral) const {
  const std::string point = this->point();
  const bool exact = numeral.whole.size() + numeral.decimals.size() <= 15;
  if (point.empty() && exact)
    return formats_->format(value_of("0" + numeral.whole + "." + std::string(numeral.decimals)));
  std::string out = numeral.is_nameable() && !numeral.whole.empty() ? cardinal(numeral.value())
                                                                    : digits("0" + numeral.whole);
  if (!point.empty()) append_word(out, point);
  append_word(out, digits(numeral.decimals));
  return out;
}

std::string NumberWords::minus() const {
  const std::string one = cardinal(1);
  std::string words = formats_->format(int64_t{-1});
  if (!words.ends_with(one)) return {};
  words.resize(words.size() - one.size());
  while (words.ends_with(' '))
    words.pop_back();
  return words;
}

std::string NumberWords::currency_name(std::string_view code, const Numeral& numeral) const {
  UErrorCode status = U_ZERO_ERROR;
  UBool choice = 0;
  int32_t length = 0;
  const bool counted = numeral.is_integer() && numeral.whole.size() <= 9;
  std::string plural = "other";
  if (counted) plural = to_utf8(formats_->plurals->select(static_cast<int32_t>(numeral.value())));
  const icu::UnicodeString iso(std::string(code).c_str());
  const char16_t* name =
      ucurr_getPluralName(icu::UnicodeString(iso).getTerminatedBuffer(), formats_->locale.getName(),
                          &choice, plural.c_str(), &length, &status);
  return U_SUCCESS(status) != 0 ? to_utf8(icu::UnicodeString(name, length)) : std::string();
}

}  // namespace seda::text
