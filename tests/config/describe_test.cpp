// SPDX-License-Identifier: Apache-2.0
#include "seda/config/describe.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/source_folder.h"
#include "tests/support/temporary_folder.h"

namespace seda::config {
namespace {

using testing::HasSubstr;

TEST(Describe, SaysAllThatIsKnown) {
  EXPECT_EQ(describe(*find_key("data.num_workers")),
            "data.num_workers\n"
            "  Threads that prepare batches.\n"
            "  type: integer\n"
            "  default: auto: cores this process may use\n"
            "  range: 1 to 256 threads\n"
            "  flags: --num-workers\n");
}

TEST(Describe, NamesChoicesOldNamesAndExcludedBounds) {
  EXPECT_EQ(type_text(*find_key("data.overlong")), "one of skip, truncate");
  EXPECT_EQ(range_text(*find_key("training.lr")), "above 0 and at most 10");
  EXPECT_EQ(range_text(*find_key("data.pin_memory")), "");
  EXPECT_THAT(describe(*find_key("training.lr")), HasSubstr("also: training.learning_rate"));
  EXPECT_EQ(default_text(*find_key("training.max_steps")), "none; training.epochs decides");
  EXPECT_EQ(type_text(*find_key("training.gradient_clip_norm")), "number, or none");
}

TEST(KeysMarkdown, HasARowForEveryKeyAndASectionForEveryPrefix) {
  const std::string text = keys_markdown();
  for (const Key& key : keys())
    EXPECT_THAT(text, HasSubstr("\n| `" + key.path + "` |")) << key.path;
  for (const std::string& section : sections())
    EXPECT_THAT("\n" + text, HasSubstr("\n## " + section + "\n\n| key |")) << section;
}

TEST(KeysMarkdown, EveryRowHasTheSameCells) {
  const std::string text = keys_markdown();
  for (size_t at = text.find("| `"); at != std::string::npos; at = text.find("\n| `", at + 1)) {
    const size_t begin = text.find('|', at);
    const std::string row = text.substr(begin, text.find('\n', begin) - begin);
    EXPECT_EQ(std::ranges::count(row, '|'), 7) << row;
  }
}

TEST(KeysMarkdown, IsWhatTheDocumentSays) {
  const std::string document =
      testing_support::read_file(testing_support::source_folder() / "docs/configuration.md");
  EXPECT_THAT(document, testing::EndsWith(keys_markdown()))
      << "bring it up to date: everything below its introduction is what 'seda config keys "
         "--markdown' prints";
}

}  // namespace
}  // namespace seda::config
