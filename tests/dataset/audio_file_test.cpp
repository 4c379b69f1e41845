// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/audio_file.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/dataset/corpus_maker.h"

namespace seda::dataset::detail {
namespace {

using testing::HasSubstr;
using testing_support::CorpusFolder;

std::string found(const CorpusFolder& folder, std::string_view name,
                  Format format = Format::ljspeech) {
  const auto result = AudioFinder(folder.path(), audio_folders(format)).find(name);
  if (!result) return result.fault().code;
  return std::filesystem::path(result.value().path).lexically_relative(folder.path()).string();
}

TEST(AudioFile, ExtensionIsAddedInTheStatedOrder) {
  CorpusFolder folder;
  folder.sound({"wavs/a.mp3", "wavs/a.opus", "wavs/b.flac", "wavs/b.ogg", "wavs/c.wav"});
  EXPECT_EQ(found(folder, "a"), "wavs/a.opus");
  EXPECT_EQ(found(folder, "b"), "wavs/b.flac");
  EXPECT_EQ(found(folder, "c"), "wavs/c.wav");
}

TEST(AudioFile, AnotherExtensionIsTried) {
  CorpusFolder folder;
  folder.sound({"wavs/a.flac", "wavs/b.WAV"});
  EXPECT_EQ(found(folder, "a.wav"), "wavs/a.flac");
  EXPECT_EQ(found(folder, "b.WAV"), "wavs/b.WAV");
}

TEST(AudioFile, CapitalsAreTriedAfterTheOthers) {
  CorpusFolder folder;
  folder.sound({"wavs/a.WAV", "wavs/b.FLAC", "wavs/b.mp3"});
  EXPECT_EQ(found(folder, "a"), "wavs/a.WAV");
  EXPECT_EQ(found(folder, "a.wav"), "wavs/a.WAV");
  EXPECT_EQ(found(folder, "b"), "wavs/b.mp3");
}

TEST(AudioFile, BackslashesOfWindowsArePathsWhereNoFileHasThem) {
  CorpusFolder folder;
  folder.sound({"wavs/a.wav", "sub/b.flac", "sub\\c.wav", "sub/c.wav"});
  EXPECT_EQ(found(folder, "wavs\\a.wav"), "wavs/a.wav");
  EXPECT_EQ(found(folder, "sub\\b.wav"), "sub/b.flac");
  EXPECT_EQ(found(folder, "sub\\c.wav"), "sub\\c.wav");
  EXPECT_EQ(found(folder, "sub\\d.wav"), "audio_missing");
}

TEST(AudioFile, DotsInNamesAreNoExtension) {
  CorpusFolder folder;
  folder.sound({"wavs/take.1.wav"});
  EXPECT_EQ(found(folder, "take.1"), "wavs/take.1.wav");
}

TEST(AudioFile, FoldersOfTheLayoutAreTried) {
  CorpusFolder folder;
  folder.sound({"here.wav", "clips/c.mp3", "sub/x.wav", "wavs/sub/y.wav"});
  EXPECT_EQ(found(folder, "here"), "here.wav");
  EXPECT_EQ(found(folder, "c.mp3", Format::common_voice), "clips/c.mp3");
  EXPECT_EQ(found(folder, "sub/x.wav"), "sub/x.wav");
  EXPECT_EQ(found(folder, "sub/y.wav"), "wavs/sub/y.wav");
}

TEST(AudioFile, AbsoluteAndOutsidePathsAreTaken) {
  CorpusFolder folder;
  CorpusFolder other;
  other.sound({"x y/ß.wav"});
  const auto absolute = other / "x y/ß.wav";
  const AudioFinder finder(folder.path(), {""});
  EXPECT_EQ(finder.find(absolute.string()).value().path, absolute.string());
  const auto relative = absolute.lexically_relative(folder.path()).string();
  EXPECT_TRUE(finder.find(relative).ok()) << relative;
}

TEST(AudioFile, BothUnicodeSpellingsAreTried) {
  CorpusFolder folder;
  folder.sound({"wavs/caf\xc3\xa9.wav", "wavs/nai\xcc\x88ve.wav"});
  EXPECT_EQ(found(folder, "cafe\xcc\x81"), "wavs/caf\xc3\xa9.wav");
  EXPECT_EQ(found(folder, "na\xc3\xafve.wav"), "wavs/nai\xcc\x88ve.wav");
}

TEST(AudioFile, WhatIsNoFileIsAFaultAtOnce) {
  CorpusFolder folder;
  folder.sound({"wavs/full.wav"});
  folder.write("wavs/empty.wav", "");
  std::filesystem::create_directory(folder / "wavs/folder.wav");
  ASSERT_EQ(mkfifo((folder / "wavs/pipe.wav").c_str(), 0600), 0);
  std::filesystem::create_symlink("loop.wav", folder / "wavs/loop.wav");
  std::filesystem::create_symlink("gone.wav", folder / "wavs/dangling.wav");
  EXPECT_EQ(found(folder, "empty"), "audio_empty");
  EXPECT_EQ(found(folder, "folder"), "audio_not_a_file");
  EXPECT_EQ(found(folder, "pipe"), "audio_not_a_file");
  EXPECT_EQ(found(folder, "loop"), "audio_not_a_file");
  EXPECT_EQ(found(folder, "dangling"), "audio_missing");
  EXPECT_EQ(found(folder, "none"), "audio_missing");
  EXPECT_EQ(found(folder, "full.wav/x"), "audio_missing");
  EXPECT_EQ(found(folder, std::string(5000, 'x')), "audio_unreadable");
}

TEST(AudioFile, EvidenceNamesTheFirstPlace) {
  const CorpusFolder folder;
  const auto result = AudioFinder(folder.path(), {"wavs/"}).find("a");
  EXPECT_THAT(result.fault().evidence, HasSubstr((folder / "wavs/a.wav").string()));
  EXPECT_EQ(AudioFinder(folder.path(), {"wavs/"}).first_place("a"),
            (folder / "wavs/a.wav").string());
}

}  // namespace
}  // namespace seda::dataset::detail
