// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "seda/text/normalize/english/readers.h"
#include "seda/text/normalize/english/words.h"

namespace seda::text::english {
namespace {

struct Currency {
  std::string_view sign;
  std::string_view one;
  std::string_view many;
  std::string_view cent;
  std::string_view cents;
};

constexpr std::array<Currency, 18> kCurrencies{{
    {"US$", "U S dollar", "U S dollars", "cent", "cents"},
    {"CA$", "Canadian dollar", "Canadian dollars", "cent", "cents"},
    {"C$", "Canadian dollar", "Canadian dollars", "cent", "cents"},
    {"AU$", "Australian dollar", "Australian dollars", "cent", "cents"},
    {"A$", "Australian dollar", "Australian dollars", "cent", "cents"},
    {"NZ$", "New Zealand dollar", "New Zealand dollars", "cent", "cents"},
    {"HK$", "Hong Kong dollar", "Hong Kong dollars", "cent", "cents"},
    {"R$", "real", "reais", "centavo", "centavos"},
    {"$", "dollar", "dollars", "cent", "cents"},
    {"£", "pound", "pounds", "penny", "pence"},
    {"€", "euro", "euros", "cent", "cents"},
    {"¥", "yen", "yen", "", ""},
    {"₹", "rupee", "rupees", "paisa", "paise"},
    {"₽", "ruble", "rubles", "kopeck", "kopecks"},
    {"₩", "won", "won", "", ""},
    {"₪", "shekel", "shekels", "agora", "agorot"},
    {"₺", "lira", "liras", "kurush", "kurush"},
    {"﷼", "rial", "rials", "", ""},
}};

const Currency* currency_at(const NumberText& text, size_t at) {
  for (const Currency& currency : kCurrencies) {
    if (text.has(at, currency.sign)) return &currency;
  }
  return nullptr;
}

/// "million" after a space, or "k", "m", "bn" right after the number.
struct Scale {
  std::string_view word;
  size_t end = 0;
};

Scale scale_at(const NumberText& text, size_t at) {
  const auto word = letters_at(text.text, skip_space(text.text, at));
  const size_t end = skip_space(text.text, at) + word.size();
  for (const std::string_view full : {"hundred", "thousand", "million", "billion", "trillion"}) {
    if (word == full) return {full, end};
  }
  const bool glued = text.at(at) != ' ' && text.is_end(end);
  if (glued && (word == "k" || word == "K")) return {"thousand", end};
  if (glued && (word == "m" || word == "M" || word == "mn")) return {"million", end};
  if (glued && (word == "bn" || word == "B" || word == "b")) return {"billion", end};
  if (glued && (word == "tn" || word == "T")) return {"trillion", end};
  return {};
}

void append_cents(const Currency& currency, uint64_t cents, std::string& words) {
  if (cents == 0) return;
  if (!words.empty()) append_word(words, "and");
  append_word(words, cardinal(cents));
  append_word(words, cents == 1 ? currency.cent : currency.cents);
}

bool is_one(const Numeral& amount) {
  return amount.whole == "1" && amount.is_integer();
}

/// "a twenty dollar bill".
bool is_adjective(const NumberText& text, size_t end) {
  if (text.at(end) == '-' && is_letter(text.at(end + 1))) return true;
  const auto next = letters_at(text.text, skip_space(text.text, end));
  return next.starts_with("bill") || next.starts_with("note") || next.starts_with("coin");
}

size_t append_amount(const NumberText& text, const Currency& currency, const Numeral& amount,
                     std::string& words) {
  const Scale scale = scale_at(text, amount.end);
  const size_t end = scale.end != 0 ? scale.end : amount.end;
  const bool minor = amount.decimals.size() == 2 && scale.end == 0 && !currency.cent.empty();
  Numeral whole = amount;
  if (minor) whole.decimals = {};
  const bool has_whole = !minor || whole.whole.find_first_not_of('0') != std::string::npos;
  const bool only_zero = minor && !has_whole && amount.decimals == "00";
  if (has_whole || only_zero) {
    append_word(words, number(whole, text.british));
    if (scale.end != 0) append_word(words, scale.word);
    const bool single = (is_one(whole) && scale.end == 0) || is_adjective(text, end);
    append_word(words, single ? currency.one : currency.many);
  }
  if (minor) append_cents(currency, to_value(amount.decimals), words);
  return end;
}

/// "$5-10": the currency is said once, after both.
size_t append_range(const NumberText& text, const Currency& currency, size_t at,
                    std::string& words) {
  const Numeral first = parse_numeral(text.text, at);
  const size_t dash = dash_at(text.text, first.end);
  if (!first || dash == 0) return 0;
  size_t next = first.end + dash;
  if (text.has(next, currency.sign)) next += currency.sign.size();
  const Numeral second = parse_numeral(text.text, next);
  if (!second || !first.is_integer() || !second.is_integer()) return 0;
  append_word(words, number(first, text.british));
  append_word(words, "to");
  return append_amount(text, currency, second, words);
}

/// "5¢".
size_t read_cents(const NumberText& text, size_t at, std::string& words) {
  const Numeral amount = parse_numeral(text.text, at);
  const size_t sign = amount ? skip_space(text.text, amount.end) : 0;
  if (!amount || !text.has(sign, "¢")) return 0;
  words = number(amount, text.british);
  append_word(words, is_one(amount) ? "cent" : "cents");
  return sign + std::string_view("¢").size();
}

/// "20€", "20 €".
size_t read_sign_last(const NumberText& text, size_t at, std::string& words) {
  const Numeral amount = parse_numeral(text.text, at);
  if (!amount) return 0;
  const size_t sign = skip_space(text.text, amount.end);
  const Currency* currency = text.at(sign) == '$' ? nullptr : currency_at(text, sign);
  const size_t end = currency == nullptr ? 0 : sign + currency->sign.size();
  if (currency == nullptr || is_letter(text.at(sign)) || is_digit(text.at(end))) return 0;
  append_amount(text, *currency, amount, words);
  return end;
}

}  // namespace

size_t read_money(const NumberText& text, size_t at, std::string& words) {
  if (!text.is_start(at)) return 0;
  if (is_digit(text.at(at))) {
    const size_t end = read_cents(text, at, words);
    return end != 0 ? end : read_sign_last(text, at, words);
  }
  const bool minus = text.at(at) == '-';
  const Currency* currency = currency_at(text, minus ? at + 1 : at);
  if (currency == nullptr) return 0;
  const size_t start = skip_space(text.text, at + (minus ? 1 : 0) + currency->sign.size());
  const Numeral amount = parse_numeral(text.text, start);
  if (!amount) return 0;
  if (minus) words = "minus";
  const size_t range = append_range(text, *currency, start, words);
  const size_t end = range != 0 ? range : append_amount(text, *currency, amount, words);
  return append_per(text, end, words);
}

}  // namespace seda::text::english
