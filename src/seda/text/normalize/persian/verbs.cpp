// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/persian/verbs.h"

#include <algorithm>
#include <array>

namespace seda::text::persian {
namespace {

/// Present stems: a personal ending must follow.
constexpr auto kPresent = std::to_array<std::string_view>(
    {"آفرین", "آموز", "آمیز", "آور", "آی",    "ارز",   "افت",  "افتد", "افزای", "اندیش", "انداز",
     "باش",   "بارد", "باز",  "بخش", "بر",    "بند",   "بین",  "پذیر", "پرداز", "پرس",   "پرور",
     "پز",    "پسند", "پوش",  "پیچ", "پیوند", "تاب",   "ترس",  "توان", "جنگ",   "جوی",   "چرخ",
     "چسب",   "چین",  "خر",   "خند", "خواب",  "خواه",  "خوان", "خور",  "خیز",   "دان",   "دار",
     "درخش",  "دو",   "دوز",  "ده",  "ران",   "رس",    "رسان", "رقص",  "رنج",   "رو",    "روی",
     "ریز",   "زن",   "زی",   "ساز", "سپار",  "سنج",   "سوز",  "شتاب", "شکن",   "شمار",  "شناس",
     "شنو",   "شو",   "شوی",  "طلب", "فرست",  "فرمای", "فروش", "فشار", "فهم",   "فهمان", "کار",
     "کاه",   "کش",   "کشان", "کن",  "کوب",   "کوش",   "گذار", "گذر",  "گذران", "گرد",   "گردان",
     "گریز",  "گری",  "گستر", "گو",  "گوی",   "گیر",   "لرز",  "مال",  "مان",   "میر",   "نام",
     "ناز",   "نشین", "نگر",  "نما", "نمای",  "نواز",  "نوش",  "نویس", "نه",    "ورز",   "وز",
     "یاب"});

/// Past stems: they also stand alone.
constexpr auto kPast = std::to_array<std::string_view>(
    {"آفرید", "آمد",    "آموخت",  "آورد",  "افتاد",  "افزود",  "انداخت", "اندیشید", "ایستاد",
     "باخت",  "بارید",  "بخشید",  "برد",   "بست",    "بود",    "پخت",    "پذیرفت",  "پرداخت",
     "پرسید", "پرید",   "پسندید", "پوشید", "پیچید",  "تابید",  "ترسید",  "توانست",  "جست",
     "جنگید", "چرخید",  "چید",    "خرید",  "خندید",  "خواب",   "خوابید", "خواست",   "خواند",
     "خورد",  "داد",    "داشت",   "دانست", "درخشید", "دوخت",   "دوید",   "دید",     "راند",
     "رساند", "رسید",   "رفت",    "رقصید", "رنجید",  "ریخت",   "زد",     "زیست",    "ساخت",
     "سپرد",  "سوخت",   "شتافت",  "شد",    "شست",    "شکست",   "شمرد",   "شناخت",   "شنید",
     "طلبید", "فرستاد", "فرمود",  "فروخت", "فشرد",   "فهماند", "فهمید",  "کاست",    "کاشت",
     "کرد",   "کشت",    "کشید",   "کند",   "کوبید",  "کوشید",  "گذاشت",  "گذراند",  "گذشت",
     "گردید", "گریخت",  "گریست",  "گرفت",  "گسترد",  "گشت",    "گفت",    "لرزید",   "ماند",
     "مرد",   "نامید",  "نشست",   "نگاشت", "نگریست", "نمود",   "نواخت",  "نوشت",    "نوشید",
     "نهاد",  "ورزید",  "وزید",   "یافت",  "توان",   "باید",   "بایست",  "بایستی"});

constexpr auto kEndings = std::to_array<std::string_view>(
    {"م", "ی", "د", "یم", "ید", "ند", "ه", "ن", "ین", "ئیم", "یند"});

constexpr auto kPronouns =
    std::to_array<std::string_view>({"", "ش", "شان", "شون", "مان", "مون", "تان", "تون", "ت", "م"});

template <size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool is_form(std::string_view word) {
  if (contains(kPast, word)) return true;
  for (const auto ending : kEndings) {
    if (!word.ends_with(ending)) continue;
    const auto stem = word.substr(0, word.size() - ending.size());
    if (contains(kPresent, stem)) return true;
    if (contains(kPast, stem) && ending != "د" && ending != "ه") return true;
  }
  return false;
}

}  // namespace

bool is_verb(std::string_view word) {
  return std::ranges::any_of(kPronouns, [&](std::string_view pronoun) {
    return word.ends_with(pronoun) && is_form(word.substr(0, word.size() - pronoun.size()));
  });
}

}  // namespace seda::text::persian
