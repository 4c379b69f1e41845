// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/english/pronounceable.h"

#include <algorithm>
#include <array>
#include <string>

#include "seda/base/ascii.h"
#include "seda/text/normalize/scan.h"

namespace seda::text::english {
namespace {

constexpr auto kWords = std::to_array<std::string_view>(
    {"AIDS",  "ALL",    "AM",     "AN",   "AND", "ANY",   "ARE",  "AS",    "ASCII", "AT",    "BAD",
     "BE",    "BIG",    "BUT",    "BY",   "CAN", "COVID", "DAY",  "DID",   "DO",    "END",   "FAQ",
     "FEMA",  "FIFA",   "FOR",    "GET",  "GIF", "GO",    "GOD",  "HAD",   "HAS",   "HE",    "HER",
     "HIM",   "HIS",    "HOW",    "IF",   "IN",  "IS",    "ITS",  "JPEG",  "LAN",   "LASER", "LET",
     "MAN",   "MAY",    "ME",     "MERS", "MR",  "MUST",  "MY",   "NAFTA", "NASA",  "NATO",  "NEW",
     "NO",    "NOT",    "NOW",    "OF",   "OFF", "OH",    "OK",   "OLD",   "ON",    "ONE",   "OPEC",
     "OR",    "OUR",    "OUT",    "OWN",  "PIN", "RADAR", "RAM",  "ROM",   "SARS",  "SAT",   "SAY",
     "SCUBA", "SEE",    "SHE",    "SIM",  "SIX", "SO",    "SWAT", "TEN",   "THE",   "TO",    "TOO",
     "TWO",   "UNESCO", "UNICEF", "UP",   "USE", "VAT",   "WAR",  "WAS",   "WE",    "WHO",   "WHY",
     "YES",   "YOU",    "ZIP"});

constexpr auto kSpelled = std::to_array<std::string_view>(
    {"AFL", "AGM",  "AI",  "AKA", "API", "ATM", "AWOL", "BA",   "CEO", "CIA",  "CIO",  "EPA",
     "ERA", "ESPN", "ETA", "EU",  "FIA", "GDP", "IATA", "IBM",  "ICU", "ID",   "IOU",  "IPA",
     "IQ",  "IRA",  "IRS", "EST", "HIV", "NYC", "YMCA", "UPS",  "APR", "EEG",  "LED",  "NIH",
     "GOP", "HIV",  "ISO", "ISU", "IT",  "LA",  "MIA",  "MIT",  "NBA", "OCD",  "PA",   "POW",
     "PTA", "RIP",  "SAC", "SAS", "SOS", "SUV", "TA",   "UAE",  "UAW", "UCLA", "UEFA", "UFO",
     "UK",  "UN",   "UNO", "URL", "US",  "USA", "USB",  "USSR", "UV",  "VIP"});

constexpr auto kOnsets = std::to_array<std::string_view>(
    {"",    "b",  "bl", "br", "c",   "ch",  "chr", "cl", "cr", "d",  "dr", "f",  "fl",  "fr",  "g",
     "gl",  "gr", "h",  "j",  "k",   "kl",  "kn",  "kr", "l",  "m",  "n",  "p",  "ph",  "pl",  "pr",
     "qu",  "r",  "s",  "sc", "sch", "scr", "sh",  "sk", "sl", "sm", "sn", "sp", "spl", "spr", "st",
     "str", "sw", "t",  "th", "thr", "tr",  "tw",  "v",  "w",  "wh", "wr", "z"});

constexpr auto kCodas = std::to_array<std::string_view>(
    {"",   "b",  "c",  "ch", "ck", "ct", "d",  "f",   "ff", "ft", "g",  "gh", "k",  "l",
     "ld", "lk", "ll", "lm", "lp", "ls", "lt", "m",   "mp", "ms", "n",  "nd", "ng", "nk",
     "ns", "nt", "p",  "ps", "pt", "r",  "rb", "rd",  "rk", "rl", "rm", "rn", "rp", "rs",
     "rt", "s",  "sh", "sk", "ss", "st", "t",  "tch", "th", "ts", "v",  "w",  "x",  "z"});

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool is_vowel(char c) {
  return std::string_view("aeiouy").find(c) != std::string_view::npos;
}

/// Runs of consonants inside, of vowels anywhere, are short enough to be spoken.
bool flows(std::string_view word) {
  size_t consonants = 0;
  size_t vowels = 0;
  for (const char c : word) {
    consonants = is_vowel(c) ? 0 : consonants + 1;
    vowels = is_vowel(c) ? vowels + 1 : 0;
    if (consonants > 3 || vowels > 2) return false;
  }
  return true;
}

bool is_pronounceable(const std::string& word) {
  const size_t first = word.find_first_of("aeiouy");
  if (first == std::string::npos) return false;
  size_t onset = first;
  if (word[first] == 'u' && first > 0 && word[first - 1] == 'q') ++onset;
  const size_t last = word.find_last_of("aeiouy");
  return contains(kOnsets, word.substr(0, onset)) && contains(kCodas, word.substr(last + 1)) &&
         flows(word);
}

}  // namespace

bool is_read_as_word(std::string_view capitals) {
  if (contains(kWords, capitals)) return true;
  if (contains(kSpelled, capitals) || capitals.size() == 2) return false;
  return is_pronounceable(lower_ascii(capitals));
}

}  // namespace seda::text::english
