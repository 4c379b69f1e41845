// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/document.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/support.h"

namespace seda::config::detail {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Document, NodesKnowWhereTheyBegin) {
  ProblemList problems;
  const std::string text = "a:\r\n- x\r\nصدا: 'y'  # c\r\nb: {c: ~, d}\r\n";
  const Document document = parse_document(text, "c.yaml", problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  const Node root = document.root.value_or(Node{});
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(text.substr(root.entries[0].value.begin, 3), "- x");
  EXPECT_EQ(text.substr(root.entries[1].value.begin, 3), "'y'");
  EXPECT_EQ(root.entries[1].value.style, Node::Style::single_quoted);
  EXPECT_EQ(text.substr(root.entries[2].value.begin, 3), "{c:");
  EXPECT_EQ(find_path(root, "b.c")->value.style, Node::Style::plain);
  EXPECT_EQ(find_path(root, "b.d")->value.style, Node::Style::implicit);
  EXPECT_EQ(find_path(root, "b.e"), nullptr);
}

TEST(Document, NullIsWrittenOnlyWhereTheWordStands) {
  ProblemList problems;
  const Document document =
      parse_document("a:\nname: 1\nb: null\nc:\nnull_thing: ~\n", "c.yaml", problems);
  const Node root = document.root.value_or(Node{});
  EXPECT_EQ(find_path(root, "a")->value.style, Node::Style::implicit);
  EXPECT_EQ(find_path(root, "b")->value.style, Node::Style::plain);
  EXPECT_EQ(find_path(root, "c")->value.style, Node::Style::implicit);
}

TEST(Document, MarkIsSetAside) {
  ProblemList problems;
  const Document document = parse_document(
      "\xef\xbb\xbf"
      "a: 1\n",
      "c.yaml", problems);
  EXPECT_EQ(document.bom, "\xef\xbb\xbf");
  EXPECT_EQ(document.text, "a: 1\n");
  EXPECT_EQ(document.place(3), (Place{"c.yaml", 1, 4}));
}

TEST(Document, AnchorsAliasesAndTagsAreRefused) {
  EXPECT_EQ(problems_of("data: &x\n  batch_size: 4\n"),
            "seda.yaml:1:7: found an anchor (&); write the value itself");
  EXPECT_THAT(problems_of("data:\n  batch_size: &x 4\n  num_workers: *x\n"),
              AllOf(HasSubstr("seda.yaml:2:15: found an anchor"),
                    HasSubstr("seda.yaml:3:16: found an alias (*)")));
  EXPECT_THAT(problems_of("data:\n  batch_size: !!int 4\n"),
              HasSubstr("seda.yaml:2:15: found a tag (!); remove it"));
  EXPECT_THAT(problems_of("data: *x\n"), HasSubstr("not valid YAML"));
  EXPECT_THAT(problems_of("<<: {a: 1}\n"), HasSubstr("merge keys are not understood"));
}

TEST(Document, AliasesCannotGrow) {
  std::string text = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const char last = static_cast<char>(c - 1);
    text += fmt::format("{}: &{} [*{},*{},*{}]\n", c, c, last, last, last);
  }
  EXPECT_THAT(problems_of(text), HasSubstr("and "));
}

TEST(Document, OneDocumentOnly) {
  EXPECT_THAT(problems_of("data: {batch_size: 4}\n---\ndata: {batch_size: 5}\n"),
              StartsWith("seda.yaml:2:1: expected one document, found a second"));
  EXPECT_EQ(problems_of("---\ndata: {batch_size: 4}\n...\n"), "");
  EXPECT_EQ(problems_of("%YAML 1.2\n---\ndata: {batch_size: 4}\n"), "");
}

TEST(Document, WhatTheParserForgivesIsRefused) {
  EXPECT_EQ(problems_of("data:\n  cache_dir: \"open\n  batch_size: 4\n"),
            "seda.yaml:2:14: this quote is never closed; close it, or remove it");
  EXPECT_EQ(problems_of("data: {}\nbatch\n"),
            "seda.yaml:2:1: expected name: value, found batch; a colon and a space belong behind "
            "the name\nseda.yaml:2:1: unknown key batch; `seda config keys` lists all");
  EXPECT_THAT(problems_of("? data\n: {}\n"), HasSubstr("seda.yaml:1:3: expected name: value"));
  EXPECT_THAT(problems_of("? [a]\n: 1\n"), HasSubstr("expected a word as a key"));
  EXPECT_THAT(problems_of(": 1\n"), HasSubstr("expected a word as a key"));
  EXPECT_THAT(problems_of(",data"), StartsWith("seda.yaml:1:1: expected one document"));
}

TEST(Document, BrokenYamlHasPlaceAndCure) {
  EXPECT_THAT(problems_of("data:\n  batch_size: 4\n   num_workers: 2\n"),
              AllOf(StartsWith("seda.yaml:3:15: not valid YAML"), HasSubstr("indentation")));
  EXPECT_THAT(problems_of("data:\n  batch_size: 4\n num_workers: 2\n"),
              AllOf(StartsWith("seda.yaml:3:"), HasSubstr("indentation")));
  EXPECT_THAT(problems_of("data: {batch_size: 4\n"), HasSubstr("close the brace"));
  EXPECT_THAT(problems_of("debug: {inject: [a\n"), HasSubstr("not valid YAML"));
  EXPECT_THAT(problems_of("debug:\n  inject: [a\n"), HasSubstr("close the bracket"));
  EXPECT_THAT(problems_of("a: @x\n"), HasSubstr("quote a value that begins with @"));
  EXPECT_THAT(problems_of("a: b: c\n"), HasSubstr("quote a value that contains \": \""));
  EXPECT_THAT(problems_of("a: - b\n"), HasSubstr("list"));
}

TEST(Document, TabsAreNamed) {
  EXPECT_THAT(problems_of("data:\n\tbatch_size: 4\n"), StartsWith("seda.yaml:2:1: found a tab"));
}

TEST(Document, CarriageReturnsDoNotMoveLines) {
  EXPECT_THAT(problems_of("data:\r\n  batch_size: 4\r\n  nope_nope: 1\r\n"),
              StartsWith("seda.yaml:3:3: unknown key data.nope_nope"));
}

}  // namespace
}  // namespace seda::config::detail
