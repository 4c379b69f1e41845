// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/base/ascii.h"
#include "seda/text/normalize/scan.h"
#include "seda/text/normalize/step.h"

namespace seda::text {
namespace {

/// How the signs of an address are spoken.
struct Sign {
  char sign;
  std::string_view english;
  std::string_view persian;
};

constexpr std::array<Sign, 12> kSigns{{{'.', "dot", "دات"},
                                       {'@', "at", "ات"},
                                       {'/', "slash", "اسلش"},
                                       {'-', "dash", "خط تیره"},
                                       {'_', "underscore", "آندرلاین"},
                                       {':', "colon", "دونقطه"},
                                       {'?', "question mark", "علامت سؤال"},
                                       {'=', "equals", "مساوی"},
                                       {'&', "and", "و"},
                                       {'#', "hash", "هشتگ"},
                                       {'%', "percent", "درصد"},
                                       {'+', "plus", "به‌علاوه"}}};

constexpr auto kTopDomains = std::to_array<std::string_view>(
    {"com",  "org", "net", "edu",    "gov",    "io",   "ir",  "uk", "de",  "fr",
     "info", "biz", "co",  "us",     "ca",     "eu",   "tv",  "ai", "app", "dev",
     "me",   "af",  "jp",  "cn",     "ru",     "in",   "au",  "ch", "nl",  "it",
     "es",   "mil", "int", "museum", "online", "site", "blog"});

bool is_top_domain(std::string_view word) {
  return std::ranges::find(kTopDomains, word) != kTopDomains.end();
}

bool is_name(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '_';
}

bool is_address(char c) {
  return is_name(c) || std::string_view(".@/:?=&#%+~").find(c) != std::string_view::npos;
}

bool is_sign(char c) {
  return is_address(c) && !is_letter(c) && !is_digit(c);
}

/// The run of bytes that may form an address, without the marks that end a sentence.
std::string_view candidate_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_address(text[end]))
    ++end;
  while (end > at && is_sign(text[end - 1]) && text[end - 1] != '/')
    --end;
  return text.substr(at, end - at);
}

/// "site.org" up to a slash or the end; every part a name, the last one a top domain.
bool is_host(std::string_view host) {
  size_t parts = 0;
  std::string_view part;
  while (!host.empty()) {
    const size_t stop = std::min(host.find('.'), host.size());
    part = host.substr(0, stop);
    if (part.empty() || !std::ranges::all_of(part, is_name)) return false;
    ++parts;
    host.remove_prefix(std::min(stop + 1, host.size()));
  }
  return parts >= 2 && is_top_domain(lower_ascii(part));
}

std::string_view without_scheme(std::string_view address) {
  for (const std::string_view scheme : {"https://", "http://", "ftp://", "mailto:"}) {
    if (address.starts_with(scheme)) return address.substr(scheme.size());
  }
  return address;
}

bool is_email(std::string_view address) {
  const size_t at = address.find('@');
  if (at == 0 || at == std::string_view::npos) return false;
  const auto host = address.substr(at + 1);
  return host.find('.') != std::string_view::npos &&
         host.find_first_of("@/:?=&#%+~") == std::string_view::npos &&
         std::ranges::all_of(address.substr(0, at),
                             [](char c) { return is_name(c) || c == '.' || c == '+'; });
}

bool is_url(std::string_view address) {
  const auto rest = without_scheme(address);
  if (rest.size() < address.size()) return rest.find_first_not_of("./:") != std::string_view::npos;
  if (rest.starts_with("www.") && rest.size() > 4) return true;
  return is_host(rest.substr(0, rest.find_first_of("/:?#")));
}

void append_sign(std::string& out, char c, Family family) {
  for (const Sign& sign : kSigns) {
    if (sign.sign == c) append_word(out, family == Family::persian ? sign.persian : sign.english);
  }
  if (c == '~') append_word(out, family == Family::persian ? "مد" : "tilde");
  out += ' ';
}

void append_spoken(std::string_view address, Family family, std::string& out) {
  address = without_scheme(address);
  while (address.ends_with('/'))
    address.remove_suffix(1);
  for (size_t at = 0; at < address.size();) {
    if (is_sign(address[at])) {
      append_sign(out, address[at++], family);
    } else if (has_at(address, at, "www.")) {
      out += "w w w";
      at += 3;
    } else {
      out += address[at++];
    }
  }
}

/// Every address has a point between two names.
bool may_have_address(std::string_view text) {
  for (size_t at = text.find('.'); at != std::string_view::npos; at = text.find('.', at + 1)) {
    if (at > 0 && is_name(text[at - 1]) && is_name(byte_at(text, at + 1))) return true;
  }
  return false;
}

}  // namespace

void clean_urls(std::string_view in, StepContext& context, std::string& out) {
  if (context.family == Family::other || !may_have_address(in)) {
    out = in;
    return;
  }
  for (size_t at = 0; at < in.size();) {
    const bool starts = is_letter(in[at]) || is_digit(in[at]);
    const auto candidate = starts ? candidate_at(in, at) : std::string_view();
    const size_t length = std::max<size_t>(candidate.size(), 1);
    const bool pointed = candidate.find('.') != std::string_view::npos;
    if (pointed && (is_email(candidate) || is_url(candidate))) {
      append_spoken(candidate, context.family, out);
      if (byte_at(in, at + length) == '/') ++at;
      if (word_begins_at(in, at + length)) out += ' ';
    } else {
      out.append(in.substr(at, length));
    }
    at += length;
  }
}

}  // namespace seda::text
