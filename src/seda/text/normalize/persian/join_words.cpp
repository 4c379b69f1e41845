// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/text/normalize/persian/persian.h"
#include "seda/text/normalize/persian/verbs.h"
#include "seda/text/normalize/scan.h"

namespace seda::text::persian {
namespace {

constexpr std::string_view kJoint = "\u200c";

constexpr auto kPlurals = std::to_array<std::string_view>(
    {"ها", "های", "هایی", "هایم", "هایت", "هایش", "هایمان", "هایتان", "هایشان", "هاست"});

/// Adjectives after which «تر» is the comparative and not "wet".
constexpr auto kAdjectives = std::to_array<std::string_view>(
    {"بزرگ",  "کوچک",  "بیش",   "کم",    "مهم",   "زیبا",  "قوی",   "ضعیف", "سریع",   "آرام",
     "بلند",  "کوتاه", "قدیمی", "جدید",  "نزدیک", "دور",   "سخت",   "آسان", "ساده",   "پیچیده",
     "گران",  "ارزان", "جوان",  "پیر",   "سنگین", "سبک",   "عمیق",  "وسیع", "دقیق",   "روشن",
     "تاریک", "گرم",   "سرد",   "خوب",   "بد",    "شدید",  "کامل",  "واضح", "راحت",   "پایین",
     "بالا",  "پیش",   "عقب",   "جلو",   "شیرین", "تلخ",   "زشت",   "خوش",  "تند",    "کند",
     "جالب",  "مناسب", "مفید",  "باهوش", "قشنگ",  "پهن",   "باریک", "ضخیم", "نازک",   "خطرناک",
     "فعال",  "غنی",   "فقیر",  "عجیب",  "مشهور", "معروف", "موفق",  "منظم", "طولانی", "بیشتر"});

/// Forms of "to be" and pronouns that lean on a participle: «رفته ام», «خانه اش».
constexpr auto kAfterHe = std::to_array<std::string_view>({"ام", "ایم", "اید", "اند", "اش", "ی"});

template <size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

/// Letters of Arabic script, their marks and joiners.
bool is_persian_byte(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(byte_at(text, at));
  if (lead >= 0xd8 && lead <= 0xdb) {
    const auto second = static_cast<unsigned char>(byte_at(text, at + 1));
    const bool mark = lead == 0xd8 && (second == 0x8c || second == 0x9b || second == 0x9f);
    const bool digit = lead == 0xdb && second >= 0xb0 && second <= 0xb9;
    const bool arabic_digit = lead == 0xd9 && second >= 0xa0 && second <= 0xad;
    return !mark && !digit && !arabic_digit;
  }
  return has_at(text, at, kJoint);
}

size_t word_end(std::string_view text, size_t at) {
  while (is_persian_byte(text, at))
    at += has_at(text, at, kJoint) ? kJoint.size() : 2;
  return at;
}

struct Pair {
  std::string_view first;
  std::string_view second;
  bool last;  ///< «تر و تازه» does not follow: there «تر» is "wet".
};

bool joins(const Pair& pair) {
  if (pair.first == "نمی") return is_verb(pair.second) || pair.second.size() > 4;
  if (pair.first == "می") return is_verb(pair.second);
  if (contains(kPlurals, pair.second))
    return !pair.first.starts_with("می\u200c") && !pair.first.starts_with("نمی\u200c");
  if (pair.second == "ترین" || pair.second.starts_with("ترین\u200c")) return pair.first.size() > 2;
  if (pair.second == "تر" || pair.second == "تری")
    return pair.last && contains(kAdjectives, pair.first);
  return pair.first.ends_with("ه") && pair.first.size() >= 6 && contains(kAfterHe, pair.second);
}

}  // namespace

void join_words(std::string_view text, std::string& out) {
  std::string_view before;
  for (size_t at = 0; at < text.size();) {
    const size_t end = word_end(text, at);
    if (end == at) {
      before = {};
      out += text[at++];
      continue;
    }
    const auto word = text.substr(at, end - at);
    const bool last = !has_at(text, end, " و تازه") && !has_at(text, end, " و خشک");
    if (!before.empty() && joins({before, word, last})) {
      out.pop_back();
      out += kJoint;
    }
    out += word;
    at = end;
    before = {};
    if (byte_at(text, at) == ' ' && word_end(text, at + 1) > at + 1) {
      before = word;
      out += ' ';
      ++at;
    }
  }
}

}  // namespace seda::text::persian
