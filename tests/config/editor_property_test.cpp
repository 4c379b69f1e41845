// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/config/detail/document.h"
#include "seda/config/editor.h"
#include "tests/config/random_document.h"

namespace seda::config {
namespace {

using detail::Node;

void flatten(const Node& node, const std::string& path, Content& content) {
  if (node.kind == Node::Kind::mapping) {
    for (const detail::Entry& entry : node.entries)
      flatten(entry.value, path.empty() ? entry.key.text : path + "." + entry.key.text, content);
    return;
  }
  std::string value = node.kind == Node::Kind::null ? kNothing : node.text;
  for (const Node& item : node.items)
    value += item.text + "\x1f";
  if (!path.empty()) content[path] = value;
}

Content content_of(const std::string& text) {
  ProblemList problems;
  const detail::Document document = detail::parse_document(text, "random.yaml", problems);
  problems.raise();
  Content content;
  if (document.root) flatten(*document.root, "", content);
  return content;
}

constexpr std::string_view kBom = "\xef\xbb\xbf";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  if (text.starts_with(kBom)) text.remove_prefix(kBom.size());
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// The lines of `before`, from and to (past the end), that `after` does not have in common with it.
std::pair<size_t, size_t> changed_lines(std::string_view before, std::string_view after) {
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(after);
  const size_t most = std::min(old_lines.size(), new_lines.size());
  size_t head = 0;
  while (head < most && old_lines[head] == new_lines[head])
    ++head;
  size_t tail = 0;
  while (tail < most - head && *(old_lines.end() - 1 - static_cast<std::ptrdiff_t>(tail)) ==
                                   *(new_lines.end() - 1 - static_cast<std::ptrdiff_t>(tail)))
    ++tail;
  return {head, old_lines.size() - tail};
}

struct Edit {
  std::string path;
  Value value;
  std::string expected;  ///< As `Content` holds it.
  bool removes = false;
};

Edit random_edit(DocumentWriter& random, const RandomDocument& document) {
  static const std::vector<std::pair<Value, std::string>> values = {
      {true, "true"},
      {int64_t{-5}, "-5"},
      {0.25, "0.25"},
      {"plain", "plain"},
      {"a: b #c", "a: b #c"},
      {"it's", "it's"},
      {"1\n2\t", "1\n2\t"},
      {"", ""},
      {std::vector<std::string>{"x, y", "z"}, "x, y\x1fz\x1f"},
      {Value(), "auto"},
      {"null", "null"},
      {"صدا", "صدا"}};
  static const std::vector<std::string> fresh = {"new", "brand.new", "alpha.new", "b.deep.new",
                                                 "gamma_ray.x.y"};
  const auto& [value, text] = values[random.below(values.size())];
  Edit edit{.path = random.pick(fresh), .value = value, .expected = text, .removes = false};
  if (random.one_in(3)) return edit;
  auto old = document.content.begin();
  std::advance(old, random.below(document.content.size()));
  edit.path = old->first;
  edit.removes = random.one_in(3);
  return edit;
}

/// Whether a value stands where the path needs a section, or a section where it needs a value.
bool blocked(const Content& content, const std::string& path) {
  return std::ranges::any_of(content, [&](const auto& entry) {
    const bool above = path.starts_with(entry.first + ".") && entry.second != kNothing;
    return above || entry.first.starts_with(path + ".");
  });
}

/// A key without a value means the same as an empty section, which has no place in `Content`.
Content without_nothing(Content content) {
  std::erase_if(content, [](const auto& entry) { return entry.second == kNothing; });
  return content;
}

void apply(const Edit& edit, Content& content) {
  if (edit.removes) {
    content.erase(edit.path);
  } else {
    content[edit.path] = edit.expected;
  }
}

void check_lines(const RandomDocument& document, const Edit& edit, const std::string& after) {
  if (after == document.text) return;
  EXPECT_EQ(after.starts_with(kBom), document.text.starts_with(kBom));
  const auto [from, to] = changed_lines(document.text, after);
  const auto own = document.lines.find(edit.path);
  const bool in_braces = document.text.find('{') != std::string::npos;
  const bool open_end = !document.text.ends_with('\n');
  if (own != document.lines.end()) {
    EXPECT_GE(from, own->second.first);
    EXPECT_LE(to, own->second.second + 1);
  } else if (!in_braces) {
    // A new key replaces no line, but one for `~`, and the last where its line feed is missing.
    EXPECT_LE(to - from, 1u);
    EXPECT_TRUE(to == from || open_end || document.text.find('~') != std::string::npos ||
                document.text.find("null") != std::string::npos);
  }
}

TEST(EditorProperty, AnEditChangesItsKeyAndNothingElse) {
  DocumentWriter random(20240229);
  int edits = 0;
  for (int round = 0; round < 3000; ++round) {
    const RandomDocument document = random.write();
    ASSERT_EQ(content_of(document.text), document.content) << document.text;
    Content content = document.content;
    std::string text = document.text;
    for (int step = 0; step < 4 && !content.empty(); ++step) {
      const Edit edit = random_edit(random, document);
      if (blocked(content, edit.path)) continue;
      SCOPED_TRACE(edit.path + (edit.removes ? " removed from\n" : " set in\n") + text);
      Editor editor(text, "random.yaml");
      ASSERT_NO_THROW(edit.removes ? editor.remove(edit.path) : editor.set(edit.path, edit.value));
      apply(edit, content);
      ASSERT_EQ(without_nothing(content_of(editor.text())), without_nothing(content))
          << editor.text();
      if (step == 0) check_lines(document, edit, editor.text());
      if (testing::Test::HasFailure()) FAIL() << editor.text();
      text = editor.text();
      ++edits;
    }
  }
  EXPECT_GT(edits, 6000);
}

/// Content with `name` in place of the last part of `path`.
Content renamed(const Content& content, const std::string& path, const std::string& name) {
  const std::string to = path.substr(0, path.rfind('.') + 1) + name;
  Content out;
  for (const auto& [old, value] : content) {
    const bool moved = old == path || old.starts_with(path + ".");
    out[moved ? to + old.substr(path.size()) : old] = value;
  }
  return out;
}

TEST(EditorProperty, ARenameChangesTheNameAndNothingElse) {
  DocumentWriter random(20240301);
  for (int round = 0; round < 2000; ++round) {
    const RandomDocument document = random.write();
    if (document.content.empty()) continue;
    auto entry = document.content.begin();
    std::advance(entry, random.below(document.content.size()));
    std::string path = entry->first;
    if (random.one_in(3)) path = path.substr(0, path.find('.'));  // a section, where it is in one
    SCOPED_TRACE(path + " renamed in\n" + document.text);
    Editor editor(document.text, "random.yaml");
    ASSERT_NO_THROW(editor.rename(path, "fresh_name"));
    ASSERT_EQ(content_of(editor.text()), renamed(document.content, path, "fresh_name"))
        << editor.text();
    ASSERT_EQ(lines_of(editor.text()).size(), lines_of(document.text).size());
  }
}

}  // namespace
}  // namespace seda::config
