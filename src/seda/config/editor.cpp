// SPDX-License-Identifier: Apache-2.0
#include "seda/config/editor.h"

#include <vector>

#include "seda/base/error.h"
#include "seda/config/detail/document.h"
#include "seda/config/detail/edit.h"
#include "seda/config/detail/render.h"
#include "seda/config/parse.h"

namespace seda::config {
namespace {

using detail::Document;
using detail::Node;

Document parse(const std::string& text, const std::string& name) {
  ProblemList problems;
  Document document = detail::parse_document(text, name, problems);
  problems.raise();
  return document;
}

Node root_of(const Document& document) {
  return document.root ? *document.root : Node{};
}

/// The path and its old names, as far as they are in the document.
std::vector<std::string> names_present(const Document& document, std::string_view path) {
  std::vector<std::string> names{std::string(path)};
  if (const Key* key = find_key(path)) {
    names = key->aliases;
    names.insert(names.begin(), key->path);
  }
  const Node root = root_of(document);
  std::erase_if(names,
                [&](const std::string& name) { return detail::find_path(root, name) == nullptr; });
  return names;
}

/// The text after the edit, if it means what it should.
std::string checked_edit(const Document& document, std::vector<detail::Replacement> replacements,
                         const Node& expected, std::string_view path) {
  std::string text = document.bom + detail::apply(document.text, std::move(replacements));
  ProblemList problems;
  bool same = false;
  try {
    const Document edited = detail::parse_document(text, document.name, problems);
    same = problems.empty() && same_content(root_of(edited), expected);
  } catch (const Error&) {
    same = false;
  }
  if (same) return text;
  throw_error(ErrorKind::config,
              "{}: cannot change {} without touching other keys, because of the way the file is "
              "written; change it by hand",
              document.name, path);
}

void check_path(std::string_view path) {
  const bool empty_name = path.empty() || path.front() == '.' || path.back() == '.' ||
                          path.find("..") != std::string_view::npos;
  if (empty_name) throw_error(ErrorKind::config, "expected a dotted path, found \"{}\"", path);
}

void check_known(const Key* key, std::string_view path, const Value& value) {
  if (key == nullptr) return;
  if (const auto refusal = check_value(*key, value))
    throw_error(ErrorKind::config, "{}: {}", path, refusal->evidence);
}

}  // namespace

Editor::Editor(std::string text, std::string name)
    : text_(std::move(text)), name_(std::move(name)) {
  parse(text_, name_);
}

bool Editor::has(std::string_view path) const {
  return !names_present(parse(text_, name_), path).empty();
}

bool Editor::has_section(std::string_view path) const {
  const Document document = parse(text_, name_);
  const Node root = root_of(document);
  const detail::Entry* entry = detail::find_path(root, path);
  return entry != nullptr && entry->value.kind == Node::Kind::mapping;
}

std::optional<std::string> Editor::scalar(std::string_view path) const {
  const Document document = parse(text_, name_);
  const Node root = root_of(document);
  const detail::Entry* entry = detail::find_path(root, path);
  if (entry == nullptr || entry->value.kind != Node::Kind::scalar) return {};
  return entry->value.text;
}

void Editor::set(std::string_view path, const Value& value) {
  check_path(path);
  const Key* key = find_key(path);
  check_known(key, path, value);
  const Document document = parse(text_, name_);
  std::vector<std::string> names = names_present(document, path);
  if (names.empty()) names.emplace_back(key == nullptr ? path : std::string_view(key->path));
  Node expected = root_of(document);
  std::vector<detail::Replacement> replacements;
  for (const std::string& name : names) {
    for (detail::Replacement& part : plan_set(document, name, value, key))
      replacements.push_back(std::move(part));
    set_in_tree(expected, name, detail::node_of(value, key));
  }
  text_ = checked_edit(document, std::move(replacements), expected, path);
}

void Editor::remove(std::string_view path) {
  check_path(path);
  std::string text = text_;
  for (;;) {
    const Document document = parse(text, name_);
    const std::vector<std::string> names = names_present(document, path);
    if (names.empty()) break;
    Node expected = root_of(document);
    remove_from_tree(expected, names.front());
    text = checked_edit(document, plan_remove(document, names.front()), expected, path);
  }
  text_ = std::move(text);
}

void Editor::rename(std::string_view path, std::string_view name) {
  check_path(path);
  const Document document = parse(text_, name_);
  Node expected = root_of(document);
  detail::rename_in_tree(expected, path, name, name_);
  text_ = checked_edit(document, detail::plan_rename(document, path, name), expected, path);
}

}  // namespace seda::config
