// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace seda::testing_support {

/// What is wrong with a page whose every element is closed, as in XML, whose attributes are all in
/// double quotes and whose `&` all begin an entity; empty where nothing is.
class MarkupChecker {
 public:
  std::string check(std::string_view page) {
    while (problem_.empty() && !page.empty()) {
      const size_t start = page.find('<');
      check_text(page.substr(0, start));
      if (start == std::string_view::npos) break;
      const size_t end = find_end(page, start);
      if (end == std::string_view::npos) return "an element that does not end";
      check_tag(page.substr(start + 1, end - start - 1));
      page.remove_prefix(end + 1);
    }
    if (problem_.empty() && !open_.empty()) problem_ = open_.back() + " is not closed";
    return problem_;
  }

 private:
  static size_t find_end(std::string_view page, size_t at) {
    bool quoted = false;
    for (; at < page.size(); ++at) {
      if (page[at] == '"') quoted = !quoted;
      if (page[at] == '>' && !quoted) return at;
    }
    return std::string_view::npos;
  }

  void check_text(std::string_view text) {
    for (size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
      const size_t end = text.find(';', at);
      if (end == std::string_view::npos || end > at + 7) problem_ = "a bare &";
    }
  }

  void check_tag(std::string_view tag) {
    if (tag.starts_with('!')) return;
    const std::string name(tag.substr(tag.starts_with('/'), tag.find_first_of(" /", 1)));
    if (tag.starts_with('/')) return close(std::string(tag.substr(1)));
    check_text(tag);
    bool quoted = false;
    for (const char c : tag) {
      if (c == '"') quoted = !quoted;
      if (!quoted && (c == '<' || c == '\'')) problem_ = "an odd character in " + name;
    }
    if (!tag.ends_with('/')) open_.push_back(name);
  }

  void close(const std::string& name) {
    if (open_.empty() || open_.back() != name) {
      problem_ = "</" + name + "> closes " + (open_.empty() ? "nothing" : open_.back());
      return;
    }
    open_.pop_back();
  }

  std::vector<std::string> open_;
  std::string problem_;
};

inline std::string markup_problem(std::string_view page) {
  return MarkupChecker().check(page);
}

}  // namespace seda::testing_support
