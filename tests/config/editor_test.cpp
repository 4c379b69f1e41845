// SPDX-License-Identifier: Apache-2.0
#include "seda/config/editor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/config/detail/render.h"
#include "tests/config/support.h"

namespace seda::config {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

std::string after_set(std::string text, std::string_view path, const Value& value) {
  Editor editor(std::move(text), "seda.yaml");
  editor.set(path, value);
  return editor.text();
}

std::string after_remove(std::string text, std::string_view path) {
  Editor editor(std::move(text), "seda.yaml");
  editor.remove(path);
  return editor.text();
}

TEST(EditorSet, ChangesTheValueAndNothingElse) {
  EXPECT_EQ(after_set("# top\ndata:\n    batch_size:   16   # clips\n    pin_memory: true\n",
                      "data.batch_size", int64_t{32}),
            "# top\ndata:\n    batch_size:   32   # clips\n    pin_memory: true\n");
}

TEST(EditorSet, KeepsTheQuotesOfText) {
  EXPECT_EQ(after_set("data: {cache_dir: \"a\"}", "data.cache_dir", "b"),
            "data: {cache_dir: \"b\"}");
  EXPECT_EQ(after_set("data: {cache_dir: 'a'}", "data.cache_dir", "it's"),
            "data: {cache_dir: 'it''s'}");
  EXPECT_EQ(after_set("data:\n  cache_dir: 'it''s' # c\n", "data.cache_dir", "x"),
            "data:\n  cache_dir: 'x' # c\n");
  EXPECT_EQ(after_set("data: {batch_size: \"16\"}", "data.batch_size", int64_t{16}),
            "data: {batch_size: 16}")
      << "a number in quotes would be text";
}

TEST(EditorSet, KeepsLineEndsMarkAndMissingLastLineFeed) {
  EXPECT_EQ(after_set("\xef\xbb\xbf"
                      "data:\r\n  batch_size: 16 # c\r\n",
                      "data.batch_size", int64_t{8}),
            "\xef\xbb\xbf"
            "data:\r\n  batch_size: 8 # c\r\n");
  EXPECT_EQ(after_set("data:\r\n  batch_size: 16", "data.pin_memory", false),
            "data:\r\n  batch_size: 16\r\n  pin_memory: false");
}

TEST(EditorSet, OldNamesStayAndAreEdited) {
  EXPECT_EQ(
      after_set("data:\n  use_tf_native_loading: false  # slow\n", "data.native_loading", true),
      "data:\n  use_tf_native_loading: true  # slow\n");
  EXPECT_EQ(after_set("data: {enable_xla: true}\ntraining: {enable_xla_compilation: true}\n",
                      "training.enable_xla_compilation", false),
            "data: {enable_xla: false}\ntraining: {enable_xla_compilation: false}\n")
      << "both, or they would contradict";
}

TEST(EditorSet, AddsToTheEndOfItsSection) {
  EXPECT_EQ(after_set("data:\n  batch_size: 16 # c\n\n  # tail\ntraining:\n  lr: 1\n",
                      "data.pin_memory", true),
            "data:\n  batch_size: 16 # c\n  pin_memory: true\n\n  # tail\ntraining:\n  lr: 1\n");
  EXPECT_EQ(after_set("data: {batch_size: 16}", "data.pin_memory", true),
            "data: {batch_size: 16, pin_memory: true}");
  EXPECT_EQ(after_set("data: {batch_size: 16,}", "data.pin_memory", true),
            "data: {batch_size: 16, pin_memory: true,}");
  EXPECT_EQ(after_set("data: {}", "data.pin_memory", true), "data: {pin_memory: true}");
}

TEST(EditorSet, MakesSectionsThatAreMissing) {
  EXPECT_EQ(after_set("data:\n    batch_size: 16\n", "data.mel.fmax", 8000.0),
            "data:\n    batch_size: 16\n    mel:\n        fmax: 8000\n");
  EXPECT_EQ(after_set("data:\n  batch_size: 16\n", "training.lr", 1e-4),
            "data:\n  batch_size: 16\ntraining:\n  lr: 0.0001\n");
  EXPECT_EQ(after_set("{data: {batch_size: 16}}", "data.mel.fmax", 8000.0),
            "{data: {batch_size: 16, mel: {fmax: 8000}}}");
}

TEST(EditorSet, FillsEmptyFilesAndSections) {
  EXPECT_EQ(after_set("", "data.batch_size", int64_t{8}), "data:\n  batch_size: 8\n");
  EXPECT_EQ(after_set("# note\r\n", "data.batch_size", int64_t{8}),
            "# note\r\ndata:\r\n  batch_size: 8\r\n");
  EXPECT_EQ(after_set("# note", "data.batch_size", int64_t{8}), "# note\ndata:\n  batch_size: 8");
  EXPECT_EQ(after_set("---\n", "data.batch_size", int64_t{8}), "---\ndata:\n  batch_size: 8\n");
  EXPECT_EQ(after_set("data:\n    # batch_size: 4\nmodel: {}\n", "data.batch_size", int64_t{8}),
            "data:\n    batch_size: 8\n    # batch_size: 4\nmodel: {}\n");
  EXPECT_EQ(after_set("data: # here\n", "data.batch_size", int64_t{8}),
            "data: # here\n  batch_size: 8\n");
  EXPECT_EQ(after_set("data: ~ # here\n", "data.batch_size", int64_t{8}),
            "data: {batch_size: 8} # here\n");
}

TEST(EditorSet, GivesAValueToAKeyWithout) {
  EXPECT_EQ(after_set("data:\n  num_workers:   # later\n  pin_memory: true\n", "data.num_workers",
                      int64_t{4}),
            "data:\n  num_workers: 4   # later\n  pin_memory: true\n");
  EXPECT_EQ(after_set("data: {num_workers, pin_memory: true}", "data.num_workers", int64_t{4}),
            "data: {num_workers: 4, pin_memory: true}");
  EXPECT_EQ(after_set("data: {num_workers: , pin_memory: true}", "data.num_workers", int64_t{4}),
            "data: {num_workers: 4 , pin_memory: true}");
}

TEST(EditorSet, WritesUnsetInTheKeysOwnWord) {
  EXPECT_EQ(after_set("data: {num_workers: 4}", "data.num_workers", {}),
            "data: {num_workers: auto}");
  EXPECT_EQ(after_set("training: {max_steps: 4}", "training.max_steps", {}),
            "training: {max_steps: none}");
}

TEST(EditorSet, ReplacesValuesOverSeveralLines) {
  EXPECT_EQ(after_set("data:\n  cache_dir: |  # block\n    one\n\n    two\n  pin_memory: true\n",
                      "data.cache_dir", "x"),
            "data:\n  cache_dir: x  # block\n  pin_memory: true\n");
  EXPECT_EQ(after_set("data:\n  cache_dir: >-\n    one\n    two\n\n# end\n", "data.cache_dir", "x"),
            "data:\n  cache_dir: x\n\n# end\n");
  EXPECT_EQ(after_set("data:\n  cache_dir: one\n    two # c\n  pin_memory: true\n",
                      "data.cache_dir", "x"),
            "data:\n  cache_dir: x # c\n  pin_memory: true\n");
  EXPECT_EQ(after_set("data:\n  cache_dir: \"one\n    two\" # c\n", "data.cache_dir", "x"),
            "data:\n  cache_dir: \"x\" # c\n");
  EXPECT_EQ(after_set("data:\n  cache_dir:\n    one\n", "data.cache_dir", "x"),
            "data:\n  cache_dir:\n    x\n");
}

TEST(EditorSet, ReplacesLists) {
  const Value value(Words{"slow_clip"});
  EXPECT_EQ(
      after_set("debug:\n  inject: [slow_decode, # c\n    bad_clips=0.1]\n", "debug.inject", value),
      "debug:\n  inject: [slow_clip]\n");
  EXPECT_EQ(after_set("debug:\n  inject: # why\n  - slow_decode\n  - bad_clips=0.1\n# end\n",
                      "debug.inject", value),
            "debug:\n  inject: [slow_clip] # why\n# end\n");
  EXPECT_EQ(after_set("debug: {inject: []}", "debug.inject", value),
            "debug: {inject: [slow_clip]}");
}

TEST(EditorSet, QuotesWhatNeedsQuotes) {
  for (const char* text :
       {"a: b", "x #y",  "- x",    "[x", "{x}",  "a, b", "*x",  "&x",  "!x",  "%x",   "@x",
        "`x",   "'x",    "\"x\"",  "no", "null", "~",    "1e3", "010", " x ", "?",    ":",
        "a\nb", "tab\t", "صدا #1", "#",  "---",  "...",  "=",   "<<",  "|",   "C:\\x"}) {
    const std::string edited = after_set("data:\n  pin_memory: true\n", "data.cache_dir", text);
    EXPECT_EQ(parse_good(edited).text("data.cache_dir"), text) << edited;
    const std::string flow = after_set("data: {pin_memory: true}", "data.cache_dir", text);
    EXPECT_EQ(parse_good(flow).text("data.cache_dir"), text) << flow;
  }
}

TEST(EditorSet, LeavesPlainWhatIsPlain) {
  for (const char* text : {"precompute", "./data/my set", "/x/y.z", "صدا", "en-us", "a_b+c"})
    EXPECT_EQ(detail::render_text(text), text);
  EXPECT_EQ(after_set("data: {data_gpu: auto}", "data.data_gpu", "1"), "data: {data_gpu: 1}");
}

TEST(EditorSet, RefusesAndLeavesTheTextAlone) {
  Editor editor("data: 5\ntraining:\n  lr: 1\n", "seda.yaml");
  EXPECT_THAT(message_of([&] { editor.set("data.batch_size", int64_t{4}); }),
              HasSubstr("seda.yaml:1:7: cannot set batch_size here: expected a section"));
  EXPECT_THAT(message_of([&] { editor.set("training", int64_t{4}); }),
              HasSubstr("it is a section"));
  EXPECT_THAT(message_of([&] { editor.set("training.lr", 0.0); }),
              HasSubstr("training.lr: expected a number above 0"));
  EXPECT_THAT(message_of([&] { editor.set("a..b", 0.0); }), HasSubstr("a dotted path"));
  EXPECT_THAT(message_of([&] { editor.set("", 0.0); }), HasSubstr("a dotted path"));
  EXPECT_EQ(editor.text(), "data: 5\ntraining:\n  lr: 1\n");
}

TEST(Editor, RefusesWhatItCannotRead) {
  EXPECT_THAT(message_of([] { Editor("a: 1\na: 2\n", "seda.yaml"); }), HasSubstr("seda.yaml:2:1"));
  EXPECT_THAT(message_of([] { Editor("a: &x 1\n", "seda.yaml"); }), HasSubstr("anchor"));
  EXPECT_THAT(message_of([] { Editor("a: [\n", "seda.yaml"); }), HasSubstr("not valid YAML"));
}

TEST(Editor, KnowsWhatIsThere) {
  const Editor editor("data:\n  use_tf_native_loading: true\n", "seda.yaml");
  EXPECT_TRUE(editor.has("data.native_loading"));
  EXPECT_TRUE(editor.has("data"));
  EXPECT_FALSE(editor.has("data.batch_size"));
}

TEST(EditorRemove, TakesTheLineAndItsComment) {
  EXPECT_EQ(after_remove("data:\n  # about\n  batch_size: 16 # c\n  pin_memory: true\n",
                         "data.batch_size"),
            "data:\n  # about\n  pin_memory: true\n");
  EXPECT_EQ(after_remove("data:\n  pin_memory: true\n  batch_size: 16", "data.batch_size"),
            "data:\n  pin_memory: true\n");
  EXPECT_EQ(after_remove("data:\r\n  use_tf_native_loading: true\r\n  batch_size: 1\r\n",
                         "data.native_loading"),
            "data:\r\n  batch_size: 1\r\n");
}

TEST(EditorRemove, TheLastKeyLeavesAnEmptySection) {
  const std::string block =
      after_remove("data:\n  batch_size: 16\nmodel: {size: big}\n", "data.batch_size");
  EXPECT_EQ(block, "data:\nmodel: {size: big}\n");
  EXPECT_EQ(parse_good(block).text("model.size"), "big");
  EXPECT_EQ(after_remove("data: {batch_size: 16}\n", "data.batch_size"), "data: {}\n");
}

TEST(EditorRemove, TakesCommasInBraces) {
  EXPECT_EQ(after_remove("a: {x: 1, y: 2, z: 3}", "a.x"), "a: {y: 2, z: 3}");
  EXPECT_EQ(after_remove("a: {x: 1, y: 2, z: 3}", "a.y"), "a: {x: 1, z: 3}");
  EXPECT_EQ(after_remove("a: {x: 1, y: 2, z: 3}", "a.z"), "a: {x: 1, y: 2}");
  EXPECT_EQ(after_remove("a: {x: 1,}", "a.x"), "a: {}");
  EXPECT_EQ(after_remove("a: {x: [1, 2], 'y': \"},\"}", "a.y"), "a: {x: [1, 2]}");
}

TEST(EditorRemove, KeepsTheNeighboursCommentsInBraces) {
  EXPECT_EQ(
      after_remove("a: {\n  x: 1, # one\n  # about y\n  y: 2, # two\n  z: 3 # three\n}\n", "a.y"),
      "a: {\n  x: 1, # one\n  # about y\n  z: 3 # three\n}\n");
  EXPECT_EQ(after_remove("a: {\n  x: 1, # one\n  z: 3 # three\n}\n", "a.z"),
            "a: {\n  x: 1, # one\n}\n");
}

TEST(EditorRemove, TakesValuesOverSeveralLines) {
  EXPECT_EQ(after_remove("a:\n  x: |\n    one\n\n    two\n  y: 2\n", "a.x"), "a:\n  y: 2\n");
  EXPECT_EQ(after_remove("a:\n  x:\n  - one\n  - two\n  y: 2\n", "a.x"), "a:\n  y: 2\n");
  EXPECT_EQ(after_remove("a:\n  x: {p: 1,\n    q: 2}  # c\n  y: 2\n", "a.x"), "a:\n  y: 2\n");
  EXPECT_EQ(after_remove("a:\n  x: 1\nb:\n  y: 2\n", "a"), "b:\n  y: 2\n");
}

TEST(EditorRemove, NothingThereNothingDone) {
  EXPECT_EQ(after_remove("a: 1\n", "b.c"), "a: 1\n");
  EXPECT_EQ(after_remove("", "b"), "");
}

std::string after_rename(std::string text, std::string_view path, std::string_view name) {
  Editor editor(std::move(text), "seda.yaml");
  editor.rename(path, name);
  return editor.text();
}

TEST(EditorRename, ChangesTheNameAndKeepsValueCommentAndLayout) {
  EXPECT_EQ(after_rename("# top\ndata:\n    batch_sise :   16   # clips\n    pin_memory: true\n",
                         "data.batch_sise", "batch_size"),
            "# top\ndata:\n    batch_size :   16   # clips\n    pin_memory: true\n");
  EXPECT_EQ(after_rename("\xef\xbb\xbf"
                         "dat:\r\n  batch_size: 16 # c\r\n",
                         "dat", "data"),
            "\xef\xbb\xbf"
            "data:\r\n  batch_size: 16 # c\r\n");
}

TEST(EditorRename, KeepsQuotesAndWorksInBraces) {
  EXPECT_EQ(after_rename("{\"dta\": {'a': 1, b: 2}}", "dta", "data"), "{\"data\": {'a': 1, b: 2}}");
  EXPECT_EQ(after_rename("{\"dta\": {'a': 1, b: 2}}", "dta.a", "it's"),
            "{\"dta\": {'it''s': 1, b: 2}}");
}

TEST(EditorRename, RefusesWhatIsNotThereAndANameThatIs) {
  EXPECT_THAT(message_of([] { after_rename("a: 1\n", "b", "c"); }), HasSubstr("no b to rename"));
  EXPECT_THAT(message_of([] { after_rename("a: 1\n", "a.b", "c"); }), HasSubstr("to rename"));
  EXPECT_THAT(message_of([] { after_rename("a: 1\nb: 2\n", "a", "b"); }),
              HasSubstr("b is there already"));
}

TEST(EditorScalar, IsWhatIsWrittenWithoutQuotes) {
  const Editor editor("data: {batch_size: \"16\", mel: {}, text: [a]}", "seda.yaml");
  EXPECT_EQ(editor.scalar("data.batch_size"), "16");
  EXPECT_EQ(editor.scalar("data.mel"), std::nullopt);
  EXPECT_EQ(editor.scalar("data.text"), std::nullopt);
  EXPECT_EQ(editor.scalar("data.none"), std::nullopt);
  EXPECT_TRUE(editor.has_section("data.mel"));
  EXPECT_FALSE(editor.has_section("data.batch_size"));
}

}  // namespace
}  // namespace seda::config
