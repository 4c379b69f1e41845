// SPDX-License-Identifier: Apache-2.0
#include "seda/text/runs.h"

#include <algorithm>

#include "seda/base/ascii.h"
#include "seda/base/utf8.h"
#include "seda/text/script.h"

namespace seda::text {
namespace {

constexpr std::u32string_view kPunctuation = U".,;:!?¡¿…—–()[]{}\"“”„«»‹›،؛؟۔。、！？：；";

/// Part of a word between two letters, punctuation elsewhere.
bool is_hyphen(char32_t character) {
  return character == U'-' || character == U'‑';
}

bool is_punctuation(char32_t character) {
  return kPunctuation.find(character) != std::u32string_view::npos;
}

bool is_space(char32_t character) {
  return character == U' ' || character == U'\t' || character == U'\n' || character == U'\r' ||
         character == 0xa0;
}

bool is_single_letter(std::string_view word, bool capital) {
  return word.size() == 1 &&
         (capital ? word[0] >= 'A' && word[0] <= 'Z' : word[0] >= 'a' && word[0] <= 'z');
}

/// Where the first "A" ends that stands beside another spelled letter ("F A A", "a m") and before a
/// space; npos where there is none.
size_t end_of_spelled_a(std::string_view text) {
  std::string_view before;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (end == text.size()) break;
    const size_t next_end = std::min(text.find(' ', end + 1), text.size());
    const std::string_view after = text.substr(end + 1, next_end - end - 1);
    const bool capital = word == "A";
    if ((capital || word == "a") &&
        (is_single_letter(after, capital) || (capital && is_single_letter(before, true)))) {
      return end;
    }
    before = word;
    at = end + 1;
  }
  return std::string_view::npos;
}

/// Splits a stretch without punctuation where the script changes; what belongs to no script goes
/// with what stands before it.
class ScriptSplitter {
 public:
  ScriptSplitter(std::string_view language, std::vector<Run>& out)
      : language_(language), native_(script_of_language(language)), out_(out) {}

  void split(std::string_view text) {
    size_t start = 0;
    bool known = false;
    Script current = native_;
    for (size_t at = 0; at < text.size();) {
      const size_t here = at;
      const Script script = merged(script_of(decode_utf8(text, at)));
      if (script == Script::common) continue;
      if (known && script != current) {
        put(text.substr(start, here - start), current);
        start = here;
      }
      current = script;
      known = true;
    }
    put(text.substr(start), known ? current : native_);
  }

 private:
  /// Japanese is written in Han and kana together.
  Script merged(Script script) const {
    const bool japanese = native_ == Script::kana;
    return japanese && script == Script::han ? Script::kana : script;
  }

  void put(std::string_view text, Script script) {
    // Spaces at the ends are not the speaker's.
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return put_silent(text);
    const size_t last = text.find_last_not_of(" \t\r\n");
    put_silent(text.substr(0, first));
    const bool foreign = script != native_ && !language_of_script(script).empty();
    const std::string language(foreign ? language_of_script(script) : language_);
    put_spoken(text.substr(first, last - first + 1), language);
    put_silent(text.substr(last + 1));
  }

  /// espeak-ng takes the A of "F A A agents" for the article, but not at the end of what it reads.
  void put_spoken(std::string_view text, const std::string& language) {
    while (primary_language(language) == "en") {
      const size_t cut = end_of_spelled_a(text);
      if (cut == std::string_view::npos) break;
      out_.push_back({text.substr(0, cut), true, language});
      put_silent(text.substr(cut, 1));
      text.remove_prefix(cut + 1);
    }
    out_.push_back({text, true, language});
  }

  void put_silent(std::string_view text) {
    if (!text.empty()) out_.push_back({text, false, {}});
  }

  std::string_view language_;
  Script native_;
  std::vector<Run>& out_;
};

/// Where espeak-ng's name of a language is not the code that corpora use.
std::string own_voice(const std::string& code) {
  if (code == "en" || code == "eng") return "en-us";
  if (code == "en-gb") return "en";
  if (code == "zh") return "cmn";
  if (code == "no" || code == "nn") return "nb";
  if (code == "fas" || code == "per" || code == "prs") return "fa";
  return code;
}

/// Whether a word goes on at `at`.
bool begins_word(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const char32_t following = decode_utf8(text, at);
  return !is_space(following) && !is_punctuation(following) && !is_hyphen(following);
}

}  // namespace

std::vector<Run> split_runs(std::string_view text, std::string_view language) {
  std::vector<Run> runs;
  ScriptSplitter splitter(language, runs);
  size_t start = 0;
  bool silent = false;
  bool letter_before = false;
  const auto close = [&](size_t end) {
    if (end == start) return;
    const std::string_view piece = text.substr(start, end - start);
    if (silent) {
      runs.push_back({piece, false, {}});
    } else {
      splitter.split(piece);
    }
    start = end;
  };
  for (size_t at = 0; at < text.size();) {
    const size_t here = at;
    const char32_t character = decode_utf8(text, at);
    const bool punctuation = is_punctuation(character) ||
                             (is_hyphen(character) && !(letter_before && begins_word(text, at)));
    const bool space = is_space(character);
    // A space stays with what stands before it.
    if (!space && punctuation != silent) {
      close(here);
      silent = punctuation;
    }
    letter_before = !punctuation && !space;
  }
  close(text.size());
  return runs;
}

std::vector<std::string> voices_of(std::string_view language) {
  std::string code = lower_ascii(language);
  std::ranges::replace(code, '_', '-');
  std::vector<std::string> voices;
  for (size_t end = code.size(); end != std::string::npos; end = code.rfind('-')) {
    code.resize(end);
    voices.push_back(own_voice(code));
  }
  return voices;
}

}  // namespace seda::text
