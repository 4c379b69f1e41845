// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/text/normalize/characters.h"
#include "seda/text/normalize/persian/persian.h"
#include "seda/text/normalize/scan.h"

namespace seda::text::persian {
namespace {

/// When an abbreviation is what it seems.
enum class When {
  always,
  before_number,
  after_number,
};

struct Abbreviation {
  std::string_view written;  ///< A point in it stands for a point, with or without a space after.
  std::string_view spoken;
  When when;
};

/// Longer ones first.
constexpr auto kAbbreviations = std::to_array<Abbreviation>({
    {"ه.ش", "هجری شمسی", When::always},
    {"ه.ق", "هجری قمری", When::always},
    {"هـ.ش", "هجری شمسی", When::always},
    {"هـ.ق", "هجری قمری", When::always},
    {"ه.خ", "هجری خورشیدی", When::always},
    {"ق.م", "قبل از میلاد", When::always},
    {"پ.م", "پیش از میلاد", When::always},
    {"ب.م", "بعد از میلاد", When::always},
    {"ر.ک", "رجوع کنید به", When::always},
    {"ن.ک", "نگاه کنید به", When::always},
    {"(ص)", "صلی الله علیه و آله", When::always},
    {"(ع)", "علیه السلام", When::always},
    {"(س)", "سلام الله علیها", When::always},
    {"(عج)", "عجل الله تعالی فرجه", When::always},
    {"(ره)", "رحمت الله علیه", When::always},
    {"صص", "صفحات", When::before_number},
    {"ص", "صفحه", When::before_number},
    {"ج", "جلد", When::before_number},
    {"چ", "چاپ", When::before_number},
    {"م.", "میلادی", When::after_number},
    {"ش.", "شمسی", When::after_number},
    {"ق.", "قمری", When::after_number},
    {"م", "میلادی", When::after_number},
});

/// Past `written` at `at`; 0 where it does not stand there.
size_t match(std::string_view text, size_t at, std::string_view written) {
  for (size_t i = 0; i < written.size(); ++i) {
    if (byte_at(text, at) != written[i]) return 0;
    ++at;
    const bool inner = written[i] == '.' && i + 1 < written.size();
    if (inner) at = skip_space(text, at);
  }
  return at;
}

bool is_number_at(std::string_view text, size_t at) {
  return digit_value(character_at(text, skip_space(text, at))) >= 0;
}

/// A number of at least `least` digits and a space.
bool is_number_before(std::string_view text, size_t at, size_t least) {
  if (at == 0 || text[at - 1] != ' ') return false;
  --at;
  for (size_t digits = 0; digits < least; ++digits) {
    if (digit_value(character_before(text, at)) < 0) return false;
    at -= is_beyond_ascii(text[at - 1]) ? 2 : 1;
  }
  return true;
}

/// A point that belongs to the abbreviation, not to the sentence.
size_t own_point(std::string_view text, size_t end) {
  const bool point = byte_at(text, end) == '.';
  const bool more = point && end + 1 < text.size();
  return more ? end + 1 : end;
}

/// «و …» at the end of a list: past the dots; 0 elsewhere.
size_t and_so_on_end(std::string_view text, size_t at) {
  if (!has_at(text, at, "و")) return 0;
  const size_t dots = skip_space(text, at + 2);
  const size_t end = has_at(text, dots, "...") || has_at(text, dots, "…") ? dots + 3 : 0;
  if (end == 0 || byte_at(text, end) == '.') return 0;
  const char32_t next = character_at(text, end);
  return std::u32string_view(U"\0)،؛»", 5).find(next) != std::u32string_view::npos ? end : 0;
}

/// Past `entry` at `at` where it is what it seems, its own point taken; 0 elsewhere.
size_t entry_end(std::string_view text, size_t at, const Abbreviation& entry) {
  size_t end = match(text, at, entry.written);
  if (end == 0) return 0;
  const bool goes_on = word_begins_at(text, end) || has_at(text, end, "\u200c");
  if (entry.when == When::before_number) {
    if (byte_at(text, end) == '.') ++end;
    return is_number_at(text, end) ? end : 0;
  }
  if (goes_on) return 0;
  if (entry.when == When::always) return entry.written.ends_with(')') ? end : own_point(text, end);
  const bool pointed = entry.written.ends_with('.');
  if (!is_number_before(text, at, pointed ? 2 : 4)) return 0;
  return pointed && end >= text.size() ? end - 1 : end;
}

size_t expand_at(std::string_view text, size_t at, std::string& out) {
  if (const size_t end = and_so_on_end(text, at); end != 0) {
    out += "و غیره";
    return end;
  }
  for (const Abbreviation& entry : kAbbreviations) {
    const size_t end = entry_end(text, at, entry);
    if (end == 0) continue;
    const bool bracket = entry.written.starts_with('(');
    if (bracket && !out.empty() && out.back() != ' ') out += ' ';
    out += entry.spoken;
    return end;
  }
  return 0;
}

bool may_begin(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '(' || (byte >= 0xd8 && byte <= 0xdb);
}

/// Where an abbreviation may begin: after no letter; after a number without a space, too
/// («1357ه.ش»).
bool is_start(std::string_view text, size_t at) {
  return text[at] == '(' || !word_ends_before(text, at) ||
         digit_value(character_before(text, at)) >= 0;
}

/// No abbreviation has more than two letters in a row.
bool is_short(std::string_view text, size_t at) {
  return skip_letters(text, at) - at <= std::string_view("صص").size();
}

}  // namespace

void expand_abbreviations(std::string_view text, std::string& out) {
  for (size_t at = 0; at < text.size();) {
    const bool starts = may_begin(text[at]) && is_short(text, at) && is_start(text, at);
    const bool joined = at >= 3 && has_at(text, at - 3, "\u200c");
    const size_t end = starts && !joined ? expand_at(text, at, out) : 0;
    if (end == 0) {
      const size_t stop = std::max(skip_letters(text, at), at + 1);
      out.append(text.substr(at, stop - at));
      at = stop;
      continue;
    }
    at = end;
    if (word_begins_at(text, at)) out += ' ';
  }
}

}  // namespace seda::text::persian
