// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/generic_numbers.h"

#include <array>

#include "seda/text/normalize/number_reader.h"
#include "seda/text/normalize/number_words.h"

namespace seda::text {
namespace {

struct Percent {
  std::string_view language;
  std::string_view word;
};

constexpr auto kPercents = std::to_array<Percent>(
    {{"ar", "في المئة"},   {"cs", "procent"},    {"da", "procent"},    {"de", "Prozent"},
     {"el", "τοις εκατό"}, {"es", "por ciento"}, {"fi", "prosenttia"}, {"fr", "pour cent"},
     {"he", "אחוז"},       {"hi", "प्रतिशत"},     {"hu", "százalék"},   {"id", "persen"},
     {"it", "per cento"},  {"ja", "パーセント"}, {"ko", "퍼센트"},     {"nb", "prosent"},
     {"nl", "procent"},    {"no", "prosent"},    {"pl", "procent"},    {"pt", "por cento"},
     {"ro", "la sută"},    {"ru", "процентов"},  {"sv", "procent"},    {"tr", "yüzde"},
     {"uk", "відсотків"},  {"ur", "فیصد"},       {"vi", "phần trăm"},  {"zh", "百分之"}});

std::string_view percent_word(std::string_view language) {
  const auto base = language.substr(0, language.find_first_of("-_"));
  for (const Percent& entry : kPercents) {
    if (entry.language == base) return entry.word;
  }
  return {};
}

/// Languages that say "percent" before the number.
bool says_percent_first(std::string_view language) {
  return language.starts_with("tr") || language.starts_with("zh");
}

struct Sign {
  std::string_view sign;
  std::string_view code;
};

constexpr std::array<Sign, 7> kSigns{{{"$", "USD"},
                                      {"£", "GBP"},
                                      {"€", "EUR"},
                                      {"¥", "JPY"},
                                      {"₹", "INR"},
                                      {"₽", "RUB"},
                                      {"₺", "TRY"}}};

const Sign* sign_at(const NumberText& text, size_t at) {
  for (const Sign& sign : kSigns) {
    if (text.has(at, sign.sign)) return &sign;
  }
  return nullptr;
}

/// A sign that closes an amount, rather than opening the next.
const Sign* closing_sign_at(const NumberText& text, size_t at) {
  const Sign* sign = sign_at(text, at);
  return sign != nullptr && is_digit(text.at(at + sign->sign.size())) ? nullptr : sign;
}

/// By the language's separators; where a point follows that they do not know, it parts thousands
/// before three digits ("1.000" in Polish) and decimals before others ("3.14" in German).
Numeral parse(const NumberText& text, size_t at, const NumberWords& names) {
  Numeral own = parse_numeral(text.text, at, names.separators());
  if (!own.is_integer() || own.grouped || text.at(own.end) != '.') return own;
  const bool thousands = skip_digits(text.text, own.end + 1) == own.end + 4;
  return parse_numeral(text.text, at, thousands ? Separators{'.', ','} : Separators{});
}

std::string spoken(const NumberWords& names, const Numeral& numeral) {
  if (!numeral.is_nameable() || numeral.has_leading_zero()) {
    std::string out = names.digits(numeral.whole);
    if (!numeral.decimals.empty()) append_word(out, names.digits(numeral.decimals));
    return out;
  }
  return numeral.is_integer() ? names.cardinal(numeral.value()) : names.decimal(numeral);
}

size_t read_money(const NumberText& text, size_t at, std::string& words) {
  const NumberWords& names = *NumberWords::for_language(text.language);
  const Sign* sign = sign_at(text, at);
  const size_t start = sign == nullptr ? at : skip_space(text.text, at + sign->sign.size());
  if (!text.is_start(at) || !is_digit(text.at(start))) return 0;
  const Numeral numeral = parse(text, start, names);
  const size_t after = skip_space(text.text, numeral.end);
  const Sign* last = sign == nullptr ? closing_sign_at(text, after) : nullptr;
  if (sign == nullptr && last == nullptr) return 0;
  words = spoken(names, numeral);
  append_word(words, names.currency_name((sign != nullptr ? sign : last)->code, numeral));
  return sign != nullptr ? numeral.end : after + last->sign.size();
}

/// Past the mark of an ordinal: "3." in German within a sentence, "3º", "3e", "3-й".
size_t ordinal_end(const NumberText& text, size_t at) {
  const auto is = [&](std::string_view base) { return text.language.starts_with(base); };
  if (text.has(at, "º") || text.has(at, "ª")) return at + 2;
  const bool point = text.at(at) == '.' && text.at(at + 1) == ' ' && text.at(at + 2) != '\0';
  if (point && (is("de") || is("da") || is("nb") || is("fi") || is("cs"))) return at + 1;
  for (const std::string_view ending : {"er", "re", "ère", "ème", "e"}) {
    const bool stands = text.has(at, ending) && text.is_end(at + ending.size());
    if (stands && (is("fr") || (is("nl") && ending == "e"))) return at + ending.size();
  }
  return 0;
}

size_t read_plain(const NumberText& text, size_t at, std::string& words) {
  const NumberWords& names = *NumberWords::for_language(text.language);
  const bool minus = dash_at(text.text, at) != 0 && text.is_start(at) && !names.minus().empty();
  const size_t start = at + (minus ? dash_at(text.text, at) : 0);
  const bool first = text.at(start) == '%' && is_digit(text.at(start + 1));
  if (!is_digit(text.at(start)) && !first) return 0;
  const Numeral numeral = parse(text, start + (first ? 1 : 0), names);
  const size_t ordinal =
      numeral.is_integer() && numeral.is_nameable() ? ordinal_end(text, numeral.end) : 0;
  if (ordinal != 0) words = names.ordinal(numeral.value());
  if (!words.empty()) return ordinal;
  words = spoken(names, numeral);
  if (minus) words.insert(0, names.minus() + " ");
  const size_t after = skip_space(text.text, numeral.end);
  const auto percent = percent_word(text.language);
  const bool last = text.at(after) == '%' && !first;
  if (percent.empty() || (!first && !last)) return numeral.end;
  if (says_percent_first(text.language)) {
    words.insert(0, std::string(percent) + " ");
  } else {
    append_word(words, percent);
  }
  return last ? after + 1 : numeral.end;
}

}  // namespace

bool speak_generic_numbers(std::string_view text, std::string_view language, std::string& out) {
  static constexpr std::array<NumberReader, 2> kReaders{read_money, read_plain};
  if (NumberWords::for_language(language) == nullptr) return false;
  read_numbers({text, language}, {kReaders, "", false}, out);
  return true;
}

}  // namespace seda::text
