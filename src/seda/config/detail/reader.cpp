// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/config/describe.h"
#include "seda/config/suggest.h"

namespace seda::config::detail {
namespace {

bool is_section(std::string_view path) {
  return std::ranges::find(sections(), path) != sections().end();
}

std::string join_path(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}

std::string_view kind_text(const Node& node) {
  switch (node.kind) {
    case Node::Kind::mapping:
      return "a section";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::scalar:
      return "a value";
    case Node::Kind::null:
      break;
  }
  return "nothing";
}

Refusal wrong_kind(const Key& key, std::string_view found) {
  return {.code = "wrong_type",
          .evidence = fmt::format("expected {}, found {}", expected_text(key), found),
          .cure = ""};
}

}  // namespace

void Reader::read() {
  if (!document_.root || document_.root->kind == Node::Kind::null) {
    reading_.problems.add(
        {.code = "empty_file",
         .key = "",
         .place = {.file = document_.name, .line = 1, .column = 1},
         .evidence = "expected sections such as data: and training:, found an empty file",
         .cure = "give at least one key, or leave the file out to get the defaults"});
    return;
  }
  expect_section(*document_.root, "");
}

void Reader::expect_section(const Node& node, const std::string& path) {
  if (node.kind == Node::Kind::null) return;
  if (node.kind == Node::Kind::mapping) return read_section(node, path);
  const std::string where = path.empty() ? "the file" : path;
  const bool tight = node.text.find(':') != std::string::npos;
  add("not_a_section", path, node,
      fmt::format(
          "{}: expected keys below it, found {}", where,
          node.kind == Node::Kind::scalar ? shown(node.text) : std::string(kind_text(node))),
      tight ? "a colon needs a space behind it: name: value" : "write name: value, indented");
}

void Reader::read_section(const Node& section, const std::string& path) {
  for (const Entry& entry : section.entries) {
    if (entry.key.kind == Node::Kind::scalar) read_entry(entry, join_path(path, entry.key.text));
  }
}

void Reader::read_entry(const Entry& entry, const std::string& path) {
  // A dot in a name would otherwise pass for nesting.
  const bool dotted = entry.key.text.find('.') != std::string::npos;
  if (!dotted && is_section(path)) return expect_section(entry.value, path);
  const Key* key = dotted ? nullptr : find_key(path);
  if (key != nullptr) return read_key(*key, path, entry);
  if (reading_.problems.full()) return reading_.problems.skip();
  const bool nested = dotted && find_key(entry.key.text) != nullptr;
  add("unknown_key", path, entry.key, fmt::format("unknown key {}", shown(path)),
      nested ? "write each section on a line of its own, the name indented below it"
             : suggestion(path));
}

void Reader::read_key(const Key& key, const std::string& path, const Entry& entry) {
  Parsed parsed = parse(key, entry.value);
  if (auto* value = std::get_if<Value>(&parsed)) return take(key, path, entry, std::move(*value));
  auto& refusal = std::get<Refusal>(parsed);
  const Node& at = entry.value.style == Node::Style::implicit ? entry.key : entry.value;
  add(std::move(refusal.code), path, at, fmt::format("{}: {}", path, refusal.evidence),
      std::move(refusal.cure));
}

Parsed Reader::parse(const Key& key, const Node& value) const {
  switch (value.kind) {
    case Node::Kind::null:
      return parse_nothing(key);
    case Node::Kind::scalar:
      return parse_scalar(key, Scalar(value.text, value.quoted()));
    case Node::Kind::sequence:
      return parse_sequence(key, value);
    case Node::Kind::mapping:
      break;
  }
  return wrong_kind(key, "a section");
}

Parsed Reader::parse_sequence(const Key& key, const Node& sequence) const {
  std::vector<Scalar> elements;
  for (const Node& item : sequence.items) {
    if (item.kind != Node::Kind::scalar && key.type == Type::list) {
      return wrong_kind(key, fmt::format("{} in it", kind_text(item)));
    }
    elements.emplace_back(item.text, item.quoted());
  }
  return parse_list(key, elements);
}

void Reader::take(const Key& key, const std::string& path, const Entry& entry, Value value) {
  const auto [first, added] = taken_.emplace(&key, path);
  // The same name twice was reported where the document was read.
  if (!added && first->second != path && reading_.config.value(path) != value) {
    add("conflict", path, entry.key,
        fmt::format("{} is {}, but {} ({}) is {}, and both name the same key", path,
                    to_text(value, key.unset_word), first->second,
                    reading_.config.source(path).text(),
                    to_text(reading_.config.value(path), key.unset_word)),
        fmt::format("keep {}", key.path));
    return;
  }
  if (!added) return;
  reading_.config.set(
      path, std::move(value),
      {.origin = Origin::file, .place = document_.place(entry.key.begin), .flag = ""});
}

void Reader::add(std::string code, const std::string& path, const Node& at, std::string evidence,
                 std::string cure) {
  if (reading_.problems.full()) return reading_.problems.skip();
  reading_.problems.add({.code = std::move(code),
                         .key = path,
                         .place = document_.place(at.begin),
                         .evidence = std::move(evidence),
                         .cure = std::move(cure)});
}

}  // namespace seda::config::detail
