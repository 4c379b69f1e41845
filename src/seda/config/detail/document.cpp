// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/document.h"

#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "seda/base/error.h"
#include "seda/config/detail/bytes.h"
#include "seda/config/detail/extent.h"

namespace seda::config::detail {
namespace {

constexpr size_t kDeepest = 32;

/// Builds the tree from the parser's events.
class Builder final : public YAML::EventHandler {
 public:
  Builder(Document& document, ProblemList& problems) : document_(document), problems_(problems) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (document_.root) {
      add_problem("second_document", offset(mark), "expected one document, found a second",
                  "remove it, or check the indentation");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node = make(Node::Kind::null, mark, anchor);
    node.style = is_written_null(node.begin) ? Node::Style::plain : Node::Style::implicit;
    attach(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    add_problem("alias", offset(mark), "found an alias (*)", "write the value itself");
    attach(make(Node::Kind::null, mark, 0));
  }

  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = make(Node::Kind::scalar, mark, anchor);
    node.text = value;
    node.style = scalar_style(byte(node.begin));
    const bool in_quotes =
        node.style == Node::Style::single_quoted || node.style == Node::Style::double_quoted;
    // The parser takes an open quote for one that ends with the file.
    if (in_quotes && end_of_quoted(document_.text, node.begin) == std::string_view::npos)
      raise(node.begin, "this quote is never closed; close it, or remove it");
    attach(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(Node::Kind::sequence, mark, anchor, style);
  }
  void OnSequenceEnd() override { shut(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(Node::Kind::mapping, mark, anchor, style);
  }
  void OnMapEnd() override {
    find_duplicates(frames_.back().node);
    shut();
  }

 private:
  /// A collection that is still open.
  struct Frame {
    Node node;
    std::optional<Node> key;
  };

  size_t offset(const YAML::Mark& mark) const {
    // Not mark.pos: it is wrong for a sequence that is not indented.
    return document_.lines.offset(mark.line, mark.column);
  }

  char byte(size_t at) const { return at < document_.text.size() ? document_.text[at] : '\0'; }

  static Node::Style scalar_style(char first) {
    switch (first) {
      case '\'':
        return Node::Style::single_quoted;
      case '"':
        return Node::Style::double_quoted;
      case '|':
      case '>':
        return Node::Style::block_scalar;
      default:
        return Node::Style::plain;
    }
  }

  Node make(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Node node;
    node.kind = kind;
    node.begin = offset(mark);
    const char first = byte(node.begin);
    if (anchor != 0 || first == '&')
      add_problem("anchor", node.begin, "found an anchor (&)", "write the value itself");
    if (first == '!') add_problem("tag", node.begin, "found a tag (!)", "remove it");
    return node;
  }

  /// Whether there is a word for null at `at`. A null without one is marked at the next token.
  bool is_written_null(size_t at) const {
    const std::string_view text = document_.text;
    Node word;
    word.style = Node::Style::plain;
    word.begin = at;
    const size_t end = end_of_key(text, word, true);
    const std::string_view found = text.substr(at, end - at);
    const bool null = found == "~" || found == "null" || found == "Null" || found == "NULL";
    return null && find_colon(text, end, false) == std::string_view::npos;
  }

  void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    Node node = make(kind, mark, anchor);
    node.style = style == YAML::EmitterStyle::Flow ? Node::Style::flow : Node::Style::block;
    if (frames_.size() >= kDeepest)
      raise(node.begin, fmt::format("nested deeper than {} levels; no key is", kDeepest));
    frames_.push_back({.node = std::move(node), .key = {}});
  }

  void shut() {
    Node node = std::move(frames_.back().node);
    frames_.pop_back();
    attach(std::move(node));
  }

  void attach(Node node) {
    if (frames_.empty()) {
      if (!document_.root) document_.root = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.node.kind == Node::Kind::sequence) {
      frame.node.items.push_back(std::move(node));
    } else if (!frame.key) {
      check_key(node, frame.node.style);
      frame.key = std::move(node);
    } else {
      frame.node.entries.push_back(
          {.key = *std::exchange(frame.key, {}), .value = std::move(node)});
    }
  }

  void check_key(const Node& key, Node::Style mapping) {
    if (key.kind != Node::Kind::scalar) {
      add_problem("bad_key", key.begin, "expected a word as a key, found something else",
                  "write name: value");
      return;
    }
    if (mapping == Node::Style::flow) return;
    const size_t end = end_of_key(document_.text, key, false);
    if (find_colon(document_.text, end, false) == std::string_view::npos) {
      add_problem("no_colon", key.begin,
                  fmt::format("expected name: value, found {}", shown(key.text)),
                  "a colon and a space belong behind the name");
    }
  }

  void find_duplicates(const Node& mapping) {
    std::unordered_map<std::string_view, size_t> seen;
    for (const Entry& entry : mapping.entries) {
      if (entry.key.kind != Node::Kind::scalar) continue;
      const auto [first, added] = seen.emplace(entry.key.text, entry.key.begin);
      if (added) continue;
      add_problem("duplicate_key", entry.key.begin,
                  fmt::format("{} stands here and already in line {}", shown(entry.key.text),
                              document_.lines.line_of(first->second) + 1),
                  "keep one of them");
    }
  }

  void add_problem(std::string code, size_t at, std::string evidence, std::string cure) {
    if (problems_.full()) return problems_.skip();
    problems_.add({.code = std::move(code),
                   .key = "",
                   .place = document_.place(at),
                   .evidence = std::move(evidence),
                   .cure = std::move(cure)});
  }

  [[noreturn]] void raise(size_t at, std::string_view message) const {
    throw_error(ErrorKind::config, "{}: {}", document_.place(at).text(), message);
  }

  Document& document_;
  ProblemList& problems_;
  std::vector<Frame> frames_;
};

/// What to do about the parser's own complaint.
std::string_view cure_of(std::string_view complaint) {
  constexpr std::pair<std::string_view, std::string_view> kCures[] = {
      {"illegal map value", "check the indentation, and quote a value that contains \": \""},
      {"end of map not found", "check the indentation: keys of one section stand below each other"},
      {"end of map flow", "close the brace {"},
      {"end of sequence flow", "close the bracket ["},
      {"end of sequence", "check the indentation of the list"},
      {"illegal block entry", "put each element of a list on a line of its own, or write [a, b]"},
      {"unknown token", "quote a value that begins with @, ` or %"},
      {"anchor", "write the value itself"},
  };
  for (const auto& [words, cure] : kCures) {
    if (complaint.find(words) != std::string_view::npos) return cure;
  }
  return "check this line and the one before it";
}

[[noreturn]] void refuse_syntax(const Document& document, const YAML::Exception& error) {
  const size_t at = document.lines.offset(error.mark.line, error.mark.column);
  throw_error(ErrorKind::config, "{}: not valid YAML: {}; {}", document.place(at).text(), error.msg,
              cure_of(error.msg));
}

}  // namespace

Document parse_document(std::string_view bytes, const std::string& name, ProblemList& problems) {
  check_bytes(bytes, name);
  const size_t start = bom_length(bytes);
  const std::string text(bytes.substr(start));
  Document document{.name = name,
                    .bom = std::string(bytes.substr(0, start)),
                    .text = text,
                    .lines = Lines(text),
                    .root = {}};
  try {
    std::istringstream stream(document.text);
    YAML::Parser parser(stream);
    Builder builder(document, problems);
    // Twice and no more: a stray comma makes the parser find documents for ever.
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    refuse_syntax(document, error);
  }
  return document;
}

}  // namespace seda::config::detail
