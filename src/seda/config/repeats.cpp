// SPDX-License-Identifier: Apache-2.0
#include "seda/config/repeats.h"

#include <optional>
#include <utility>

#include "seda/base/error.h"
#include "seda/config/detail/document.h"
#include "seda/config/detail/edit.h"

namespace seda::config {
namespace {

using detail::Document;
using detail::Entry;
using detail::Node;

/// Places of entries, from the root down to one that is a repeat.
using Trail = std::vector<size_t>;

bool says_again(const Node& mapping, size_t place) {
  const Entry& entry = mapping.entries[place];
  if (entry.key.kind != Node::Kind::scalar) return false;
  const Entry* first = detail::find_entry(mapping, entry.key.text);
  return first != &entry && detail::same_content(first->value, entry.value);
}

std::optional<Trail> find_repeat(const Node& mapping) {
  for (size_t place = 0; place < mapping.entries.size(); ++place) {
    if (says_again(mapping, place)) return Trail{place};
    if (auto below = find_repeat(mapping.entries[place].value)) {
      below->insert(below->begin(), place);
      return below;
    }
  }
  return {};
}

std::string path_of(const Node& root, const Trail& trail) {
  std::string path;
  const Node* mapping = &root;
  for (const size_t place : trail) {
    const Entry& entry = mapping->entries[place];
    path += (path.empty() ? "" : ".") + entry.key.text;
    mapping = &entry.value;
  }
  return path;
}

Document parse(const std::string& text, const std::string& name) {
  ProblemList ignored;  // whoever reads the file lists them
  return detail::parse_document(text, name, ignored);
}

bool means(const std::string& text, const std::string& name, const Node& expected) {
  try {
    const Document edited = parse(text, name);
    return edited.root && detail::same_content(*edited.root, expected);
  } catch (const Error&) {
    return false;
  }
}

/// The text without the entry at the end of `trail`, if it then means just that.
std::optional<std::string> without(const Document& document, const Node& root, const Trail& trail) {
  Node expected = root;
  const Node* mapping = &root;
  Node* copy = &expected;
  for (size_t depth = 0; depth + 1 < trail.size(); ++depth) {
    mapping = &mapping->entries[trail[depth]].value;
    copy = &copy->entries[trail[depth]].value;
  }
  const Entry& entry = mapping->entries[trail.back()];
  std::string text =
      document.bom + detail::apply(document.text, detail::plan_remove(document, *mapping, entry));
  copy->entries.erase(copy->entries.begin() + static_cast<std::ptrdiff_t>(trail.back()));
  if (!means(text, document.name, expected)) return {};
  return text;
}

}  // namespace

Shortened without_repeats(std::string text, const std::string& name) {
  Shortened out{std::move(text), {}};
  for (;;) {
    const Document document = parse(out.text, name);
    if (!document.root) return out;
    const auto trail = find_repeat(*document.root);
    if (!trail) return out;
    auto shorter = without(document, *document.root, *trail);
    if (!shorter) return out;
    out.text = *std::move(shorter);
    out.dropped.push_back(path_of(*document.root, *trail));
  }
}

}  // namespace seda::config
