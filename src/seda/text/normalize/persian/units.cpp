// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/text/normalize/persian/readers.h"
#include "seda/text/normalize/persian/words.h"

namespace seda::text::persian {
namespace {

struct Unit {
  std::string_view sign;
  std::string_view word;
};

constexpr auto kUnits = std::to_array<Unit>({
    {"%", "درصد"},
    {"GB", "گیگابایت"},
    {"GHz", "گیگاهرتز"},
    {"Hz", "هرتز"},
    {"KB", "کیلوبایت"},
    {"L", "لیتر"},
    {"MB", "مگابایت"},
    {"MHz", "مگاهرتز"},
    {"TB", "ترابایت"},
    {"V", "ولت"},
    {"W", "وات"},
    {"cc", "سی‌سی"},
    {"cm", "سانتی‌متر"},
    {"dB", "دسی‌بل"},
    {"ft", "فوت"},
    {"g", "گرم"},
    {"h", "ساعت"},
    {"ha", "هکتار"},
    {"kB", "کیلوبایت"},
    {"kHz", "کیلوهرتز"},
    {"kW", "کیلووات"},
    {"kWh", "کیلووات ساعت"},
    {"kcal", "کیلوکالری"},
    {"kg", "کیلوگرم"},
    {"km", "کیلومتر"},
    {"km/h", "کیلومتر بر ساعت"},
    {"l", "لیتر"},
    {"m", "متر"},
    {"m/s", "متر بر ثانیه"},
    {"mg", "میلی‌گرم"},
    {"mi", "مایل"},
    {"min", "دقیقه"},
    {"ml", "میلی‌لیتر"},
    {"mm", "میلی‌متر"},
    {"mph", "مایل بر ساعت"},
    {"ms", "میلی‌ثانیه"},
    {"nm", "نانومتر"},
    {"s", "ثانیه"},
    {"°", "درجه"},
    {"°C", "درجه سانتی‌گراد"},
    {"°F", "درجه فارنهایت"},
    {"µm", "میکرومتر"},
});
static_assert(std::ranges::is_sorted(kUnits, {}, &Unit::sign));

constexpr size_t kLongestSign = 4;

/// «متر مربع», «متر مکعب»: also after the Persian names of lengths.
struct Power {
  std::string_view word;
  size_t length = 0;
};

Power power_at(const NumberText& text, size_t at) {
  const bool digit = is_digit(text.at(at)) && !is_digit(text.at(at + 1));
  if (text.has(at, "²")) return {"مربع", 2};
  if (text.has(at, "³")) return {"مکعب", 2};
  if (digit && text.at(at) == '2') return {"مربع", 1};
  if (digit && text.at(at) == '3') return {"مکعب", 1};
  return {};
}

struct Currency {
  std::string_view sign;
  std::string_view whole;
  std::string_view part;
};

constexpr std::array<Currency, 7> kCurrencies{{{"$", "دلار", "سنت"},
                                               {"€", "یورو", "سنت"},
                                               {"£", "پوند", "پنی"},
                                               {"¥", "ین", ""},
                                               {"₹", "روپیه", ""},
                                               {"₺", "لیر", ""},
                                               {"﷼", "ریال", ""}}};

const Currency* currency_at(const NumberText& text, size_t at) {
  for (const Currency& currency : kCurrencies) {
    if (text.has(at, currency.sign)) return &currency;
  }
  return nullptr;
}

/// «1.5 میلیون»: the currency comes after the scale.
size_t append_scale(const NumberText& text, size_t end, std::string& words) {
  for (const std::string_view scale : {"هزار", "میلیون", "میلیارد", "تریلیون"}) {
    const size_t start = skip_space(text.text, end);
    if (!text.has(start, scale) || !text.is_end(start + scale.size())) continue;
    append_word(words, scale);
    return start + scale.size();
  }
  return end;
}

void append_amount(const Currency& currency, Numeral amount, std::string& words) {
  const bool minor = amount.decimals.size() == 2 && !currency.part.empty();
  const uint64_t cents = minor ? to_value(amount.decimals) : 0;
  if (minor) amount.decimals = {};
  const bool has_whole = amount.whole.find_first_not_of('0') != std::string::npos || cents == 0;
  if (has_whole) {
    append_word(words, number(amount));
    append_word(words, currency.whole);
  }
  if (cents == 0) return;
  if (has_whole) append_word(words, "و");
  append_word(words, cardinal(cents));
  append_word(words, currency.part);
}

}  // namespace

size_t append_unit(const NumberText& text, size_t end, std::string& words) {
  const size_t start = skip_space(text.text, end);
  if (text.has(start, "° C")) {
    append_word(words, "درجه سانتی‌گراد");
    return start + 4;
  }
  for (size_t length = std::min(kLongestSign, text.text.size() - start); length > 0; --length) {
    const auto sign = text.text.substr(start, length);
    const auto found = std::ranges::lower_bound(kUnits, sign, {}, &Unit::sign);
    if (found == kUnits.end() || found->sign != sign) continue;
    const Power power = found->word.ends_with("متر") ? power_at(text, start + length) : Power{};
    const size_t stop = start + length + power.length;
    const char after = text.at(stop);
    if (is_letter(sign.back()) && (is_letter(after) || is_digit(after))) continue;
    append_word(words, found->word);
    if (power.length != 0) append_word(words, power.word);
    return stop;
  }
  return end;
}

size_t read_money(const NumberText& text, size_t at, std::string& words) {
  if (!text.is_start(at)) return 0;
  const Currency* before = currency_at(text, at);
  const size_t start = before == nullptr ? at : skip_space(text.text, at + before->sign.size());
  if (!is_digit(text.at(start))) return 0;
  const Numeral amount = parse_numeral(text.text, start);
  const size_t sign = skip_space(text.text, amount.end);
  const Currency* currency = before != nullptr ? before : currency_at(text, sign);
  if (currency == nullptr) return 0;
  const bool opens_next = before == nullptr && is_digit(text.at(sign + currency->sign.size()));
  if (opens_next) return 0;
  std::string scaled = number(amount);
  const size_t scale = append_scale(text, amount.end, scaled);
  if (before != nullptr && scale > amount.end) {
    words = std::move(scaled);
    append_word(words, currency->whole);
    return scale;
  }
  append_amount(*currency, amount, words);
  return before != nullptr ? amount.end : sign + currency->sign.size();
}

}  // namespace seda::text::persian
