// SPDX-License-Identifier: Apache-2.0
// What is wrong with a corpus, told by file and line.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "seda/dataset/corpus.h"
#include "tests/dataset/corpus_maker.h"
#include "tests/support/error_message.h"

namespace seda::dataset {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::CorpusFolder;
using testing_support::error_message;
using testing_support::faults;
using testing_support::ids;

TEST(Faults, OfEveryKindStandInTheOrderOfTheLines) {
  CorpusFolder folder;
  folder.write("metadata.csv", "a|x\nb|y\nrow\na|again\nc|\nd|z\n");
  folder.sound({"wavs/a.wav", "wavs/c.wav"});
  folder.write("wavs/d.wav", "");
  const Corpus corpus = folder.read();
  EXPECT_THAT(ids(corpus), ElementsAre("a"));
  EXPECT_THAT(faults(corpus), ElementsAre("b audio_missing", "metadata.csv:3 columns_too_few",
                                          "a id_duplicate", "c text_empty", "d audio_empty"));
  EXPECT_EQ(corpus.faults[2].evidence,
            "metadata.csv:4: expected a new id, found 'a' of metadata.csv:1 again");
  EXPECT_THAT(corpus.faults[0].evidence, HasSubstr("metadata.csv:2: expected sound in"));
}

TEST(Faults, CommasBetweenColumnsAreNamed) {
  for (const char* first : {"id,text", "a;Hello there."}) {
    CorpusFolder folder;
    folder.write("metadata.csv", std::string(first) + "\n");
    EXPECT_THAT(error_message([&] { folder.read(); }),
                AllOf(HasSubstr("metadata.csv: expected | or tabs between columns"),
                      HasSubstr(std::string("in the first line: '") + first + "'")));
  }
}

TEST(Faults, AnArrayOfObjectsIsNamedWithALineThatConvertsIt) {
  const auto message = [](const char* name, bool named) {
    CorpusFolder folder;
    folder.write(name, "[\n {\"audio_filepath\": \"a.wav\", \"text\": \"Hello.\"}\n]\n");
    return error_message([&] {
      if (named) {
        read_corpus(folder.path() / name);
      } else {
        folder.read();
      }
    });
  };
  for (const bool named : {false, true}) {
    EXPECT_THAT(message("manifest.json", named),
                ContainsRegex("found an array; .* jq -c '\\.\\[\\]' /.*/manifest\\.json > "
                              "/.*/manifest\\.jsonl$"));
    EXPECT_THAT(message("manifest.jsonl", named), EndsWith("/manifest-lines.jsonl"))
        << "a shell empties what it writes to before jq reads it";
  }
}

TEST(Faults, StemsThatCollideTakeTheirPaths) {
  CorpusFolder folder;
  folder.write("list.txt", "p1/001.wav|a\np2/001.wav|b\np2/002.wav|c\np1/001.wav|d\n");
  folder.sound({"p1/001.wav", "p2/001.wav", "p2/002.wav"});
  const Corpus corpus = folder.read();
  EXPECT_THAT(ids(corpus), ElementsAre("p1/001", "p2/001", "002"));
  EXPECT_THAT(faults(corpus), ElementsAre("p1/001 id_duplicate"));
}

TEST(Faults, SoundThatIsNoFileNeverHangs) {
  CorpusFolder folder;
  folder.write("metadata.csv", "folder|a\npipe|b\nloop|c\n");
  std::filesystem::create_directories(folder / "wavs/folder.wav");
  ASSERT_EQ(mkfifo((folder / "wavs/pipe.wav").c_str(), 0600), 0);
  std::filesystem::create_symlink("loop.wav", folder / "wavs/loop.wav");
  EXPECT_THAT(faults(folder.read()), ElementsAre("folder audio_not_a_file", "pipe audio_not_a_file",
                                                 "loop audio_not_a_file"));
}

TEST(Faults, MetadataThatIsAPipeNeverHangs) {
  CorpusFolder folder;
  ASSERT_EQ(mkfifo((folder / "metadata.csv").c_str(), 0600), 0);
  EXPECT_THAT(error_message([&] { folder.read(); }), HasSubstr("no corpus found"));
  EXPECT_THAT(error_message([&] { folder.read({.format = Format::ljspeech}); }),
              HasSubstr("metadata.csv"));
}

TEST(Faults, TextsOfFolderCorpora) {
  CorpusFolder folder;
  folder.write("txt/p1/a.txt", "\xff\xfe\x41\0");
  folder.write("txt/p1/b.txt", " \n");
  folder.write("txt/p1/c.txt", "caf\xe9");
  folder.write("txt/p1/d.txt", "fine");
  ASSERT_EQ(mkfifo((folder / "txt/p1/e.txt").c_str(), 0600), 0);
  folder.sound({"wav/p1/d.wav"});
  const Corpus corpus = folder.read();
  EXPECT_THAT(ids(corpus), ElementsAre("d"));
  EXPECT_THAT(faults(corpus),
              ElementsAre("txt/p1/a.txt text_unreadable", "b text_empty",
                          "txt/p1/c.txt text_not_utf8", "txt/p1/e.txt text_unreadable"));
}

TEST(Faults, LoopOfFoldersEnds) {
  CorpusFolder folder;
  folder.sound({"a/b/x.wav"});
  std::filesystem::create_directory_symlink("..", folder / "a/up");
  EXPECT_THAT(error_message([&] { folder.read(); }), HasSubstr("no corpus found"));
}

TEST(Faults, ValidationListMayNameUnknownClips) {
  CorpusFolder folder;
  folder.write("metadata.csv", "a|x\nb|y\n");
  folder.sound({"wavs/a.wav", "wavs/b.wav"});
  const auto list = folder.write("held.lst",
                                 "\xef\xbb\xbf"
                                 "b\r\n\r\nzz\r\n");
  const Corpus corpus = folder.read({.validation_list = list});
  EXPECT_EQ(corpus.utterances.at(1).split, Split::validation);
  EXPECT_EQ(corpus.utterances.at(0).split, Split::train);
  EXPECT_THAT(faults(corpus), ElementsAre("zz validation_id_unknown"));
  EXPECT_THAT(corpus.faults[0].evidence, HasSubstr("held.lst:3:"));
  EXPECT_THAT(error_message([&] { folder.read({.validation_list = folder / "no.lst"}); }),
              HasSubstr("no.lst"));
}

TEST(Faults, EmptyMetadataIsNoCorpusUnlessForced) {
  CorpusFolder folder;
  folder.write("metadata.csv", "\n");
  EXPECT_THAT(error_message([&] { folder.read(); }), HasSubstr("no corpus found"));
  const Corpus corpus = folder.read({.format = Format::ljspeech});
  EXPECT_THAT(corpus.utterances, IsEmpty());
  EXPECT_EQ(corpus.blank_lines, 1u);
}

TEST(Faults, Utf16MetadataIsNamedAsSuch) {
  CorpusFolder folder;
  using namespace std::string_view_literals;
  folder.write("metadata.csv",
               "\xff\xfe"
               "a\0|\0x\0"sv);
  EXPECT_THAT(error_message([&] { folder.read(); }), HasSubstr("UTF-16"));
}

TEST(Faults, ANulByteFurtherDownDoesNotHideTheLayout) {
  const CorpusFolder folder;
  folder.sound({"wavs/a.wav", "wavs/b.wav"});
  folder.write("metadata.csv", std::string("a|Good.\nb|B\0d.\n", 15));
  EXPECT_THAT(ids(folder.read()), ElementsAre("a"));
}

}  // namespace
}  // namespace seda::dataset
