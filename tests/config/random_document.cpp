// SPDX-License-Identifier: Apache-2.0
#include "tests/config/random_document.h"

#include <algorithm>

namespace seda::config {
namespace {

const std::vector<std::string> kNames = {"alpha", "b", "gamma_ray", "n", "null_like", "صدا", "x1"};
const std::vector<std::string> kPlain = {
    "1",  "true",    "1e-4", "word",  "two words",         "a/b.c", "don't", "x:y", "a#b",
    "-1", "nullify", "صدا",  "~home", "a \"quoted\" word", "100%"};
const std::vector<std::string> kQuoted = {"",       "a: b", "x # y", "[1, 2]", "it's", "say \"x\"",
                                          "{a: 1}", "# no", "صدا",   "a, b",   "- x",  "null"};
const std::vector<std::string> kComments = {"# note", "# key: value", "# \"open", "# {",
                                            "#",      "# صدا"};

std::string single_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string double_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

}  // namespace

RandomDocument DocumentWriter::write() {
  out_ = {};
  feed_ = one_in(3) ? "\r\n" : "\n";
  step_ = 1 + below(4);
  if (one_in(6)) out_.text += "\xef\xbb\xbf";
  if (one_in(6)) out_.text += "---" + feed_;
  maybe_comment_lines(0);
  if (one_in(8)) {
    out_.text += flow_mapping("", 0);
    end_line();
  } else {
    block_mapping("", one_in(6) ? step_ : 0, 0);
  }
  const bool ends_in_block = out_.text.ends_with("block" + feed_);
  if (one_in(4) && !ends_in_block) out_.text.resize(out_.text.size() - feed_.size());
  return out_;
}

size_t DocumentWriter::line() const {
  return static_cast<size_t>(std::ranges::count(out_.text, '\n'));
}

std::vector<std::string> DocumentWriter::some_names() {
  std::vector<std::string> names = kNames;
  std::ranges::shuffle(names, random_);
  names.resize(1 + below(4));
  return names;
}

void DocumentWriter::maybe_comment_lines(size_t column) {
  while (one_in(4)) {
    const bool blank = one_in(2);
    out_.text += (blank ? std::string() : std::string(column, ' ') + pick(kComments)) + feed_;
  }
}

void DocumentWriter::end_line() {
  if (one_in(3)) out_.text += std::string(1 + below(3), ' ') + pick(kComments);
  if (one_in(8)) out_.text += " ";
  out_.text += feed_;
}

void DocumentWriter::block_mapping(const std::string& prefix, size_t column, int depth) {
  for (const std::string& name : some_names()) {
    maybe_comment_lines(column);
    block_entry(prefix + name, name, column, depth);
  }
}

void DocumentWriter::block_entry(const std::string& path, const std::string& name, size_t column,
                                 int depth) {
  const size_t first = line();
  out_.text += std::string(column, ' ') + (one_in(8) ? single_quoted(name) : name) + ":";
  if (depth < 2 && one_in(3)) {
    end_line();
    block_mapping(path + ".", column + step_, depth + 1);
  } else {
    block_value(path, column);
  }
  out_.lines[path] = {first, line() - 1};
}

void DocumentWriter::block_value(const std::string& path, size_t column) {
  switch (below(10)) {
    case 0:
      return block_scalar(path, column);
    case 1:
      return block_list(path, column);
    case 2:
      return plain_over_lines(path, column);
    case 3:
      out_.content[path] = kNothing;
      if (one_in(2)) out_.text += one_in(2) ? " ~" : " null";
      return end_line();
    case 4:
      out_.text += " " + flow_mapping(path + ".", 1);
      return end_line();
    default:
      out_.text += std::string(1 + below(2), ' ') + flow_value(path);
      return end_line();
  }
}

void DocumentWriter::block_scalar(const std::string& path, size_t column) {
  const std::string pad(column + 1 + below(3), ' ');
  const bool literal = one_in(2);
  out_.text += std::string(" ") + (literal ? "|" : ">-") + (one_in(3) ? " # header" : "") + feed_;
  out_.text += pad + "some # text" + feed_;
  if (literal && one_in(2)) {
    out_.text += feed_ + pad + "more: block" + feed_;
    out_.content[path] = "some # text\n\nmore: block\n";
  } else {
    out_.text += pad + "in a  block" + feed_;
    out_.content[path] = literal ? "some # text\nin a  block\n" : "some # text in a  block";
  }
}

void DocumentWriter::block_list(const std::string& path, size_t column) {
  const std::string pad(column + below(2) * step_, ' ');
  end_line();
  std::string joined;
  for (size_t count = 1 + below(3); count > 0; --count) {
    const std::string& element = pick(kQuoted);
    out_.text += pad + "- " + double_quoted(element);
    end_line();
    joined += element + "\x1f";
  }
  out_.content[path] = joined;
}

void DocumentWriter::plain_over_lines(const std::string& path, size_t column) {
  out_.text += " first line" + feed_ + std::string(column + 1 + below(3), ' ') + "second line";
  out_.content[path] = "first line second line";
  end_line();
}

std::string DocumentWriter::flow_mapping(const std::string& prefix, int depth) {
  const bool spread = one_in(3);
  const std::string gap = spread ? feed_ + std::string(6, ' ') : " ";
  std::string out = "{";
  const std::vector<std::string> names = some_names();
  for (const std::string& name : names) {
    if (out.size() > 1) out += (spread && one_in(3) ? ", # comma" : ",") + gap;
    const std::string path = prefix + name;
    out_.lines[path] = {0, 1000000};
    out += name + ": ";
    out += depth < 2 && one_in(4) ? flow_mapping(path + ".", depth + 1) : flow_value(path);
  }
  if (one_in(5)) out += ",";
  return out + (one_in(4) ? gap : "") + "}";
}

std::string DocumentWriter::flow_value(const std::string& path) {
  const std::string& quoted = pick(kQuoted);
  const std::string& plain = pick(kPlain);
  switch (below(4)) {
    case 0:
      out_.content[path] = quoted;
      return single_quoted(quoted);
    case 1:
      out_.content[path] = quoted;
      return double_quoted(quoted);
    case 2:
      if (one_in(3)) {
        out_.content[path] = plain + "\x1f" + quoted + "\x1f";
        return "[" + plain + ", " + single_quoted(quoted) + "]";
      }
      [[fallthrough]];
    default:
      out_.content[path] = plain;
      return plain;
  }
}

}  // namespace seda::config
