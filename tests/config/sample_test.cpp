// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gtest/gtest.h>

#include "seda/config/config.h"
#include "tests/support/source_folder.h"
#include "tests/support/temporary_folder.h"

namespace seda::config {
namespace {

const std::filesystem::path kSample = testing_support::source_folder() / "configs" / "config.yaml";

TEST(SampleConfig, HasEveryKeyAndChangesNothing) {
  const Config sample = Config::load(kSample);
  const Config defaults;
  for (const Key& key : keys()) {
    EXPECT_EQ(sample.source(key.path).origin, Origin::file) << key.path << " is missing";
    EXPECT_EQ(sample.value(key.path), defaults.value(key.path)) << key.path;
  }
}

TEST(SampleConfig, ExplainsEveryKeyOnItsLine) {
  std::istringstream text(testing_support::read_file(kSample));
  size_t explained = 0;
  for (std::string line; std::getline(text, line);) {
    const size_t word = line.find_first_not_of(' ');
    if (word == std::string::npos || line[word] == '#' || line.ends_with(':')) continue;
    EXPECT_NE(line.find("  # "), std::string::npos) << line;
    ++explained;
  }
  EXPECT_EQ(explained, keys().size());
}

TEST(SampleConfig, NamesEveryChoice) {
  const std::string text = testing_support::read_file(kSample);
  for (const Key& key : keys()) {
    if (key.type != Type::choice) continue;
    for (const std::string& choice : key.choices)
      EXPECT_NE(text.find(choice), std::string::npos) << key.path << ": " << choice;
  }
}

}  // namespace
}  // namespace seda::config
