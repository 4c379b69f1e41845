// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/base/utf8.h"
#include "seda/text/normalize/scan.h"
#include "seda/text/normalize/step.h"

namespace seda::text {
namespace {

/// One form of each mark; quotes and parentheses stay because they are heard as pauses.
std::string_view one_form(char32_t c, Family family) {
  const bool persian = family == Family::persian;
  switch (c) {
    case 0x2018:
    case 0x2019:
    case 0x201a:
    case 0x201b:
    case 0x2032:
    case 0xb4:
    case '`':
      return "'";
    case 0xab:
    case 0x201c:
    case 0x201e:
      return persian ? "«" : "\"";
    case 0xbb:
    case 0x201d:
    case 0x201f:
      return persian ? "»" : "\"";
    case 0x2033:
      return "\"";
    case '[':
    case '{':
    case 0x2329:
      return "(";
    case ']':
    case '}':
    case 0x232a:
      return ")";
    case 0x2012:
    case 0x2015:
      return "—";
    case 0x203c:
      return "!";
    case 0x2047:
      return "?";
    case 0x2048:
    case 0x2049:
      return "?!";
    case 0xb7:
    case 0x2022:
    case 0x2023:
    case 0x2027:
    case 0x2020:
    case 0x2021:
    case 0x2030:
    case 0x2031:
    case 0x203b:
    case 0x2039:
    case 0x203a:
    case 0x2016:
    case 0x2017:
    case 0x203e:
    case 0x203f:
    case 0x2044:
      return " ";
    default:
      return {};
  }
}

std::string unify(std::string_view in, Family family) {
  std::string out;
  out.reserve(in.size());
  for (size_t at = 0; at < in.size();) {
    at = append_plain(out, in, at);
    if (at == in.size()) break;
    const size_t start = at;
    const char32_t character = decode_utf8(in, at);
    const auto form = one_form(character, family);
    out.append(form.empty() ? in.substr(start, at - start) : form);
  }
  return out;
}

/// Persian marks for Latin ones that follow a Persian letter.
std::string_view persian_form(char c) {
  switch (c) {
    case ',':
      return "،";
    case ';':
      return "؛";
    case '?':
      return "؟";
    default:
      return {};
  }
}

bool is_arabic(char32_t c) {
  return (c >= 0x600 && c < 0x700) || c == 0x200c;
}

/// The last letter or closing mark before `at` is of Arabic script.
bool follows_arabic(std::string_view text, size_t at) {
  for (size_t steps = 0; at > 0 && steps < 4; ++steps) {
    const char c = text[at - 1];
    if (std::string_view(" )\"!?").find(c) == std::string_view::npos) break;
    --at;
  }
  const char32_t before = character_before(text, at);
  return is_arabic(before) || before == 0xbb;
}

/// The mark at `at`, and how many bytes of text it stands for.
struct Mark {
  std::string_view text;
  size_t end = 0;
};

size_t run_end(std::string_view text, size_t at, std::string_view mark) {
  while (has_at(text, at, mark))
    at += mark.size();
  return at;
}

/// "...", "…", ". . ." and their mixtures.
Mark ellipsis_at(std::string_view text, size_t at) {
  size_t end = at;
  size_t points = 0;
  while (true) {
    const size_t start = points > 0 ? skip_space(text, end) : end;
    if (byte_at(text, start) == '.') {
      end = start + 1;
      points += 1;
    } else if (has_at(text, start, "…")) {
      end = start + 3;
      points += 3;
    } else {
      break;
    }
  }
  if (points >= 3) return {"…", end};
  return points == 2 && byte_at(text, at + 1) == '.' ? Mark{".", end} : Mark{};
}

/// "!!!" as "!", "?!?!" as "?!".
Mark shout_at(std::string_view text, size_t at, std::string_view question) {
  size_t end = at;
  bool asks = false;
  bool cries = false;
  while (true) {
    if (byte_at(text, end) == '!') {
      cries = true;
      ++end;
    } else if (has_at(text, end, question)) {
      asks = true;
      end += question.size();
    } else {
      break;
    }
  }
  if (end == at) return {};
  const bool both = asks && cries;
  const std::string_view mixed = question.size() == 1 ? "?!" : "؟!";
  return {both ? mixed : asks ? question : std::string_view("!"), end};
}

/// Past hyphens and long dashes in any mixture.
size_t dashes_end(std::string_view text, size_t at) {
  while (true) {
    if (byte_at(text, at) == '-') {
      ++at;
    } else if (has_at(text, at, "—") || has_at(text, at, "–")) {
      at += 3;
    } else {
      return at;
    }
  }
}

/// "--", a hyphen among spaces, and every long dash; an en dash within a word is a hyphen.
Mark dash_mark_at(std::string_view text, size_t at) {
  const size_t end = dashes_end(text, at);
  if (end == at) return {};
  const bool alone = (at == 0 || text[at - 1] == ' ') && byte_at(text, end) == ' ';
  if (end == at + 1 && !alone) return {};
  const bool within = end == at + 3 && has_at(text, at, "–") && word_ends_before(text, at) &&
                      word_begins_at(text, end);
  return {within ? "-" : "—", end};
}

Mark repeated_at(std::string_view text, size_t at) {
  for (const std::string_view mark : {",", ";", ":", "،", "؛", "\"", "(", ")"}) {
    if (has_at(text, at, mark)) return {mark, run_end(text, at, mark)};
  }
  return {};
}

Mark mark_at(std::string_view text, size_t at) {
  Mark mark = ellipsis_at(text, at);
  if (mark.end == 0) mark = shout_at(text, at, "?");
  if (mark.end == 0) mark = shout_at(text, at, "؟");
  if (mark.end == 0) mark = dash_mark_at(text, at);
  if (mark.end == 0) mark = repeated_at(text, at);
  return mark;
}

/// Marks that stand right after a word.
bool clings(std::string_view mark) {
  static constexpr auto kClinging = std::to_array<std::string_view>(
      {".", ",", ";", ":", "!", "?", "?!", "…", "،", "؛", "؟", "؟!"});
  return std::ranges::find(kClinging, mark) != kClinging.end();
}

void append_mark(std::string& out, std::string_view mark) {
  const size_t word = out.find_last_not_of(' ') + 1;
  if (clings(mark) && word_ends_before(out, word)) out.resize(word);
  out += mark;
}

bool is_mark_byte(char c) {
  return std::string_view(".,;:!?\"()-\xe2\xd8").find(c) != std::string_view::npos;
}

}  // namespace

void clean_punctuation(std::string_view in, StepContext& context, std::string& out) {
  const std::string text = unify(in, context.family);
  const bool persian = context.family == Family::persian;
  for (size_t at = 0; at < text.size();) {
    at = append_plain(out, text, at);
    if (at == text.size()) break;
    const bool latin = persian &&
                       std::string_view(",;?").find(text[at]) != std::string_view::npos &&
                       follows_arabic(out, out.size());
    Mark mark = is_mark_byte(text[at]) ? mark_at(text, at) : Mark{};
    if (mark.end == 0) mark = {std::string_view(text).substr(at, 1), at + 1};
    if (latin && mark.text == "?!") mark.text = "؟!";
    if (latin && mark.text.size() == 1) mark.text = persian_form(text[at]);
    append_mark(out, mark.text);
    at = mark.end;
  }
}

}  // namespace seda::text
