// SPDX-License-Identifier: Apache-2.0
// What the folder of a corpus may hold, and what survives a run that was cut short.
#include "seda/corpus/detail/corpus_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/audio/wav_writer.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::corpus::detail {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::error_message;
using testing_support::TemporaryFolder;

const Json kRecipe = {{"seed", 0}, {"voices", {"slt"}}};
const Json kOther = {{"seed", 1}, {"voices", {"slt"}}};

TEST(Folder, NewAndEmptyFoldersAreFresh) {
  const TemporaryFolder parent;
  EXPECT_FALSE(CorpusFolder(parent / "a/b", kRecipe, false).resumes());
  std::filesystem::create_directory(parent / "empty");
  EXPECT_FALSE(CorpusFolder(parent / "empty", kRecipe, false).resumes());
}

TEST(Folder, OwnBeginningIsResumed) {
  const TemporaryFolder parent;
  CorpusFolder(parent / "a", kRecipe, false);
  parent.write("a/wavs/x.wav", "x");
  EXPECT_TRUE(CorpusFolder(parent / "a", kRecipe, false).resumes());
  EXPECT_FALSE(CorpusFolder(parent / "a", kRecipe, true).resumes());
}

TEST(Folder, AnythingElseIsRefusedUnlessForced) {
  const TemporaryFolder parent;
  parent.write("a/thesis.doc", "x");
  EXPECT_THAT(error_message([&] { CorpusFolder(parent / "a", kRecipe, false); }),
              AllOf(HasSubstr("expected an empty folder"), HasSubstr("--force")));
  CorpusFolder(parent / "a", kRecipe, true);
  EXPECT_TRUE(std::filesystem::exists(parent / "a/thesis.doc"));
  EXPECT_THAT(error_message([&] { CorpusFolder(parent / "a", kOther, false); }),
              HasSubstr("another practice corpus (seed: 0 then, 1 now)"));
  parent.write("file", "x");
  EXPECT_THAT(error_message([&] { CorpusFolder(parent / "file", kRecipe, true); }),
              HasSubstr("found a file"));
}

TEST(Folder, ForcedRemovesOtherClipsOfItsNamesAndNothingElse) {
  const TemporaryFolder parent;
  CorpusFolder(parent / "a", kRecipe, false);
  parent.write("a/wavs/x.wav", "x");
  parent.write("a/wavs/z.wav", "z");
  EXPECT_TRUE(CorpusFolder(parent / "a", kRecipe, false, {"wavs/x.wav"}).resumes());
  EXPECT_TRUE(std::filesystem::exists(parent / "a/wavs/x.wav"));
  CorpusFolder(parent / "a", kOther, true, {"wavs/x.wav", "wavs/y.wav", "none/y.wav"});
  EXPECT_FALSE(std::filesystem::exists(parent / "a/wavs/x.wav"));
  EXPECT_TRUE(std::filesystem::exists(parent / "a/wavs/z.wav"));
  EXPECT_TRUE(CorpusFolder(parent / "a", kOther, false).resumes());
}

TEST(Folder, DamagedRecipeIsAnotherCorpus) {
  const TemporaryFolder parent;
  parent.write("a/.seda-corpus.json", "{");
  parent.write("a/wavs/x.wav", "x");
  EXPECT_THAT(error_message([&] { CorpusFolder(parent / "a", kRecipe, false); }),
              HasSubstr("seed: null then"));
}

TEST(Folder, OneMakerAtATime) {
  const TemporaryFolder parent;
  const CorpusFolder held(parent / "a", kRecipe, false);
  EXPECT_THAT(error_message([&] { CorpusFolder(parent / "a", kRecipe, false); }),
              HasSubstr("process"));
}

TEST(Folder, OnlyWholeClipsAreKept) {
  const TemporaryFolder folder;
  const std::vector<int16_t> samples(8000, 5);
  audio::write_wav(folder / "a.wav", samples, 16000);
  EXPECT_EQ(whole_wav_seconds(folder / "a.wav", 16000), 0.5);
  EXPECT_EQ(whole_wav_seconds(folder / "a.wav", 22050), std::nullopt);
  EXPECT_EQ(whole_wav_seconds(folder / "b.wav", 16000), std::nullopt);
  const std::string bytes = audio::wav_bytes(samples, 16000);
  for (const size_t length : {0u, 10u, 44u, 100u, 16043u}) {
    folder.write("cut.wav", bytes.substr(0, length));
    EXPECT_EQ(whole_wav_seconds(folder / "cut.wav", 16000), std::nullopt) << length;
  }
  folder.write("zeros.wav", std::string(bytes.size(), '\0'));
  EXPECT_EQ(whole_wav_seconds(folder / "zeros.wav", 16000), std::nullopt);
}

}  // namespace
}  // namespace seda::corpus::detail
