// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/cache/description.h"
#include "seda/cache/detail/file_names.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::cache::detail {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

Manifest sample() {
  const Json description = {{"version", 1}, {"name", "صدا \"quoted\""}, {"list", {1, 2.5}}};
  const Hash128 fingerprint = fingerprint_of(description);
  return {
      .generation = 7,
      .tables = {
          {.name = "audio",
           .fingerprint = fingerprint,
           .description = description,
           .parts = {{part_file_name("audio", fingerprint, 1), 1000, 10, 0},
                     {part_file_name("audio", fingerprint, 2), 2000, 20, 3}}},
          {.name = "clips", .fingerprint = fingerprint, .description = description, .parts = {}}}};
}

/// The text with a checksum that is right for it.
std::string resealed(std::string text) {
  const size_t at = text.rfind("\"checksum\"");
  text.resize(at);
  return text + fmt::format("\"checksum\": \"{:016x}\"\n}}\n", hash64(text));
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = to_text(sample());
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no " + from);
  return resealed(text.replace(at, from.size(), to));
}

std::string message_for(const std::string& text) {
  return error_message([&] { parse_manifest(text, "MANIFEST.json"); });
}

TEST(Manifest, ComesBackFromItsText) {
  EXPECT_EQ(parse_manifest(to_text(sample()), "x"), sample());
  EXPECT_EQ(parse_manifest(to_text({}), "x"), Manifest{});
  EXPECT_EQ(Json::parse(to_text(sample()))["tables"][0]["parts"][1]["records"], 20);
}

TEST(Manifest, RefusesContentThatIsWrongUnderARightChecksum) {
  const std::string file = sample().tables[0].parts[0].file;
  EXPECT_THAT(message_for(replaced("\"generation\": 7", "\"generation\": -7")),
              HasSubstr("generation: expected 0 to 18446744073709551615, found -7"));
  EXPECT_THAT(message_for(replaced("\"generation\": 7", "\"generation\": 7.5")),
              HasSubstr("found 7.5"));
  EXPECT_THAT(message_for(replaced("\"generation\"", "\"other\"")), HasSubstr("generation"));
  EXPECT_THAT(message_for(replaced(file, "../../etc/passwd")), HasSubstr("is no part of"));
  EXPECT_THAT(message_for(replaced(file, "/etc/passwd")), HasSubstr("is no part of"));
  EXPECT_THAT(message_for(replaced(file, "text" + file.substr(5))), HasSubstr("is no part of"));
  EXPECT_THAT(message_for(replaced(file, sample().tables[0].parts[1].file)),
              HasSubstr("named twice"));
  EXPECT_THAT(message_for(replaced("\"clips\"", "\"audio\"")), HasSubstr("named twice"));
  EXPECT_THAT(message_for(replaced("\"clips\"", "\"../x\"")), HasSubstr("not a table's name"));
  EXPECT_THAT(message_for(replaced("\"version\": 1", "\"version\": 2")),
              HasSubstr("fingerprint of its description"));
  EXPECT_THAT(message_for(replaced("\"replaces\": 3", "\"replaces\": 21")),
              HasSubstr("more than it holds"));
  EXPECT_THAT(message_for(replaced("\"tables\": [", "\"tables\": 3, \"x\": [")),
              HasSubstr("is damaged"));
  EXPECT_THAT(message_for(replaced("\"seda_cache\": 1", "\"seda_cache\": 0")),
              HasSubstr("format is not 1"));
  EXPECT_THAT(message_for(resealed("{\n  \"checksum\"")), HasSubstr("is damaged"));
}

TEST(Manifest, RefusesDeepNesting) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(message_for(replaced("\"version\": 1", "\"version\": " + deep)),
              HasSubstr("nested too deeply"));
}

TEST(Manifest, SaysWhatToDo) {
  EXPECT_THAT(message_for(""),
              AllOf(HasSubstr("MANIFEST.json is damaged"), HasSubstr("seda cache clear")));
  EXPECT_THAT(message_for(replaced("\"seda_cache\": 1", "\"seda_cache\": 12")),
              HasSubstr("newer seda (format 12; this one reads up to 1)"));
}

TEST(Manifest, FileIsReplacedWhole) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_manifest(folder.path()).has_value());
  write_manifest(folder.path(), {});
  write_manifest(folder.path(), sample());
  EXPECT_EQ(read_manifest(folder.path()), sample());
  EXPECT_FALSE(std::filesystem::exists(folder / "MANIFEST.json.tmp"));
}

}  // namespace
}  // namespace seda::cache::detail
