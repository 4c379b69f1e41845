// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/sentences.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "seda/base/utf8.h"

namespace seda::speak {
namespace {

/// A character and where it stands.
struct Character {
  char32_t code = 0;
  size_t begin = 0;
  size_t end = 0;
};

std::vector<Character> characters_of(std::string_view text) {
  std::vector<Character> out;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char32_t code = decode_utf8(text, at);
    out.push_back({code, begin, at});
  }
  return out;
}

bool is_one_of(char32_t code, std::u32string_view set) {
  return set.find(code) != std::u32string_view::npos;
}

bool is_space(char32_t code) {
  return is_one_of(code, U" \t\v\f\u00a0\u2003\u2002\u2009\u3000");
}
bool is_line_break(char32_t code) {
  return is_one_of(code, U"\n\r\u0085\u2028\u2029");
}
bool is_white(char32_t code) {
  return is_space(code) || is_line_break(code);
}
bool is_wide_end(char32_t code) {
  return is_one_of(code, U"。！？");
}
bool is_end(char32_t code) {
  return is_one_of(code, U".!?…؟؛۔") || is_wide_end(code);
}
bool is_closing(char32_t code) {
  return is_one_of(code, U"\"')]}»”’›」』）");
}
bool is_mark(char32_t code) {
  return is_one_of(code, U",;:–—،؛、，；：");
}
bool is_small(char32_t code) {
  return code >= U'a' && code <= U'z';
}
bool is_letter(char32_t code) {
  return is_small(code) || (code >= U'A' && code <= U'Z');
}

constexpr std::array<std::string_view, 40> kAbbreviations = {
    "Mr",  "Mrs", "Ms",   "Dr",   "Prof", "St",  "Mt",     "Jr",   "Sr",  "Gen",
    "Col", "Lt",  "Capt", "Sgt",  "Rev",  "Hon", "Gov",    "Sen",  "Rep", "Pres",
    "No",  "Nos", "Vol",  "Fig",  "vs",   "etc", "approx", "ca",   "cf",  "al",
    "Inc", "Ltd", "Co",   "Corp", "Jan",  "Feb", "Aug",    "Sept", "Oct", "Dec"};

/// Whether the word that ends before the full stop at `stop` is short for something: one of the
/// list, a single letter, or letters with stops between (e.g, U.S).
bool is_abbreviated(std::string_view text, const std::vector<Character>& all, size_t stop) {
  size_t begin = stop;
  while (begin > 0 && (is_letter(all[begin - 1].code) || all[begin - 1].code == U'.'))
    --begin;
  if (begin == stop) return false;
  const auto word = text.substr(all[begin].begin, all[stop].begin - all[begin].begin);
  if (word.size() == 1) return word != "I";
  if (word.size() < 6 && word.find('.') != std::string_view::npos && word.back() != '.')
    return true;
  return std::ranges::find(kAbbreviations, word) != kAbbreviations.end();
}

size_t skip_white(const std::vector<Character>& all, size_t at) {
  while (at < all.size() && is_white(all[at].code))
    ++at;
  return at;
}

/// Where the sentence that may end at `at` ends: behind its marks and what closes; 0 if it does
/// not.
size_t sentence_end(std::string_view text, const std::vector<Character>& all, size_t at) {
  if (is_line_break(all[at].code)) return at + 1;
  if (!is_end(all[at].code)) return 0;
  size_t end = at;
  while (end < all.size() && (is_end(all[end].code) || is_closing(all[end].code)))
    ++end;
  if (end == all.size()) return end;
  const bool wide = is_wide_end(all[end - 1].code);
  if (!wide && !is_white(all[end].code)) return 0;
  if (all[at].code != U'.' || end > at + 1) return end;
  const size_t next = skip_white(all, end);
  if (next < all.size() && is_small(all[next].code)) return 0;
  return is_abbreviated(text, all, at) ? 0 : end;
}

/// Appends the characters from `begin` to `end` without the white space around them, if any are
/// left.
void add_piece(std::string_view text, const std::vector<Character>& all, size_t begin, size_t end,
               std::vector<std::string>& out) {
  while (begin < end && is_white(all[begin].code))
    ++begin;
  while (end > begin && is_white(all[end - 1].code))
    --end;
  if (begin == end) return;
  out.emplace_back(text.substr(all[begin].begin, all[end - 1].end - all[begin].begin));
}

/// The place nearest the middle behind a character that `is_place`; 0 where both sides of none
/// would have something in them.
template <typename Predicate>
size_t nearest_cut(const std::vector<Character>& all, Predicate is_place) {
  size_t best = 0;
  const auto distance = [&](size_t cut) {
    return std::abs(2 * static_cast<int64_t>(cut) - static_cast<int64_t>(all.size()));
  };
  for (size_t cut = 1; cut < all.size(); ++cut) {
    if (!is_place(cut)) continue;
    if (best == 0 || distance(cut) < distance(best)) best = cut;
  }
  return best;
}

size_t cut_of(const std::vector<Character>& all) {
  size_t cut = nearest_cut(
      all, [&](size_t at) { return is_mark(all[at - 1].code) && is_white(all[at].code); });
  if (cut == 0) cut = nearest_cut(all, [&](size_t at) { return is_white(all[at - 1].code); });
  return cut == 0 ? all.size() / 2 : cut;
}

void split_further(std::string_view text, const std::function<bool(std::string_view)>& fits,
                   std::vector<std::string>& out) {
  const auto all = characters_of(text);
  if (all.size() < 2 || fits(text)) {
    add_piece(text, all, 0, all.size(), out);
    return;
  }
  std::vector<std::string> halves;
  const size_t cut = cut_of(all);
  add_piece(text, all, 0, cut, halves);
  add_piece(text, all, cut, all.size(), halves);
  for (const std::string& half : halves)
    split_further(half, fits, out);
}

}  // namespace

std::vector<std::string> split_sentences(std::string_view text) {
  const auto all = characters_of(text);
  std::vector<std::string> out;
  size_t begin = 0;
  for (size_t at = 0; at < all.size();) {
    const size_t end = sentence_end(text, all, at);
    if (end == 0) {
      ++at;
      continue;
    }
    add_piece(text, all, begin, end, out);
    begin = at = end;
  }
  add_piece(text, all, begin, all.size(), out);
  return out;
}

std::vector<std::string> split_to_fit(std::string_view sentence,
                                      const std::function<bool(std::string_view)>& fits) {
  std::vector<std::string> out;
  split_further(sentence, fits, out);
  return out;
}

}  // namespace seda::speak
