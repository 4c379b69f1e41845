// SPDX-License-Identifier: Apache-2.0
//
// An edit of any text changes its key and nothing else, or throws an Error(config). The first byte
// picks the edit, the rest is the document. What repeats itself may be dropped, and then nothing
// else is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/error.h"
#include "seda/config/detail/document.h"
#include "seda/config/editor.h"
#include "seda/config/repeats.h"

namespace {

using seda::config::Value;
using seda::config::detail::Node;
using Content = std::map<std::string, std::string>;

/// Every value that is not a mapping, by the path to it; nulls are left out.
void flatten(const Node& node, const std::string& path, Content& content) {
  for (const auto& entry : node.entries)
    flatten(entry.value, path + "\x1f" + entry.key.text, content);
  if (node.kind == Node::Kind::scalar) content[path] = node.text;
  for (size_t i = 0; i < node.items.size(); ++i)
    flatten(node.items[i], path + "\x1e" + std::to_string(i), content);
}

Content content_of(const std::string& text) {
  seda::config::ProblemList problems;
  const auto document = seda::config::detail::parse_document(text, "fuzz.yaml", problems);
  problems.raise();
  Content content;
  if (document.root) flatten(*document.root, "", content);
  return content;
}

/// What lies at or below `path` is the edit's own business.
void drop(Content& content, const std::string& path) {
  std::erase_if(content, [&](const auto& entry) {
    const std::string_view rest = std::string_view(entry.first).substr(0, path.size());
    const char next = entry.first.size() > path.size() ? entry.first[path.size()] : '\x1f';
    return rest == path && (next == '\x1f' || next == '\x1e');
  });
}

struct Edit {
  std::string path;
  std::string separated;  ///< The path as `flatten` writes it.
  Value value;
  std::string text;
};

const std::vector<Edit> kEdits = {
    {"a",
     "\x1f"
     "a",
     int64_t{7}, "7"},
    {"a.b",
     "\x1f"
     "a\x1f"
     "b",
     "x: #y", "x: #y"},
    {"a.b.c",
     "\x1f"
     "a\x1f"
     "b\x1f"
     "c",
     true, "true"},
    {"data.cache_dir",
     "\x1f"
     "data\x1f"
     "cache_dir",
     "it's\n", "it's\n"},
};

constexpr std::string_view kNewName = "new name";

void check(const std::string& before, const std::string& after, const Edit& edit, bool removes) {
  Content old_content = content_of(before);
  Content new_content = content_of(after);
  const auto found = new_content.find(edit.separated);
  const bool there = found != new_content.end();
  if (there == removes || (there && found->second != edit.text)) std::abort();
  drop(old_content, edit.separated);
  drop(new_content, edit.separated);
  if (old_content != new_content) std::abort();
}

/// The value of the entry has moved under its new name, and all else is as it was.
void check_rename(const std::string& before, const std::string& after, const Edit& edit) {
  const std::string to =
      edit.separated.substr(0, edit.separated.rfind('\x1f') + 1) + std::string(kNewName);
  Content expected;
  for (const auto& [path, value] : content_of(before)) {
    const std::string_view rest = std::string_view(path).substr(0, edit.separated.size());
    const char next = path.size() > rest.size() ? path[rest.size()] : '\x1f';
    const bool moved = rest == edit.separated && (next == '\x1f' || next == '\x1e');
    expected[moved ? to + path.substr(rest.size()) : path] = value;
  }
  if (content_of(after) != expected) std::abort();
}

/// Documents with duplicate keys are refused by the editor, so they are looked at first.
void check_repeats(const std::string& text) {
  const std::string once = seda::config::without_repeats(text, "fuzz.yaml").text;
  if (seda::config::without_repeats(once, "fuzz.yaml").text != once) std::abort();
  seda::config::ProblemList problems;
  seda::config::detail::parse_document(text, "fuzz.yaml", problems);
  if (problems.empty() && once != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Edit& edit = kEdits[data[0] / 2 % kEdits.size()];
  const bool removes = data[0] % 2 == 1;
  const bool renames = data[0] >= 128;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    check_repeats(text);
    seda::config::Editor editor(text, "fuzz.yaml");
    if (renames) {
      editor.rename(edit.path, kNewName);
      check_rename(text, editor.text(), edit);
      return 0;
    }
    if (removes) {
      editor.remove(edit.path);
    } else {
      editor.set(edit.path, edit.value);
    }
    check(text, editor.text(), edit, removes);
  } catch (const seda::Error& error) {
    if (error.kind() != seda::ErrorKind::config) std::abort();
  }
  return 0;
}
