// SPDX-License-Identifier: Apache-2.0
// Each layout, found by looking.
#include "seda/dataset/corpus.h"

#include <cstdlib>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/dataset/corpus_maker.h"
#include "tests/support/error_message.h"
#include "tests/support/source_folder.h"

namespace seda::dataset {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing_support::CorpusFolder;
using testing_support::error_message;
using testing_support::faults;
using testing_support::ids;

std::vector<std::string> held_out(const Corpus& corpus) {
  std::vector<std::string> list;
  for (const Utterance& utterance : corpus.utterances) {
    if (utterance.split == Split::validation) list.push_back(utterance.id);
  }
  return list;
}

TEST(Corpus, Ljspeech) {
  CorpusFolder folder;
  folder.write("metadata.csv", "LJ2|Dr. A|Doctor A\nLJ1|b\n");
  folder.sound({"wavs/LJ1.wav", "wavs/LJ2.wav"});
  const Corpus corpus = folder.read({.default_language = "en"});
  EXPECT_EQ(corpus.format, Format::ljspeech);
  EXPECT_EQ(corpus.evidence, "metadata.csv (id|text)");
  EXPECT_THAT(ids(corpus), ElementsAre("LJ2", "LJ1"));
  EXPECT_THAT(corpus.faults, IsEmpty());
  EXPECT_EQ(corpus.utterances[0].text, "Doctor A");
  EXPECT_EQ(corpus.utterances[0].audio, folder / "wavs/LJ2.wav");
  EXPECT_EQ(corpus.utterances[1].line, 2u);
  EXPECT_THAT(corpus.languages, ElementsAre("en"));
  EXPECT_THAT(corpus.speakers, IsEmpty());
}

TEST(Corpus, SplitFilesDecideTheSplit) {
  for (const char* name : {"metadata_eval.csv", "metadata_val.csv", "metadata_dev.csv"}) {
    CorpusFolder folder;
    folder.write("metadata_train.csv", "a|x|x|anna\nb|y|y|bert\n");
    folder.write(name, "c|z|z|anna\n");
    folder.write("metadata.csv", "a|x\n");
    folder.sound({"wavs/a.wav", "wavs/b.wav", "wavs/c.wav"});
    const Corpus corpus = folder.read();
    EXPECT_EQ(corpus.format, Format::split);
    EXPECT_THAT(ids(corpus), SizeIs(3)) << name;
    EXPECT_THAT(held_out(corpus), ElementsAre("c")) << name;
    EXPECT_THAT(corpus.speakers, ElementsAre("anna", "bert"));
  }
}

TEST(Corpus, SplitFilesHaveAnyExtensionOfATable) {
  for (const std::string extension : {".txt", ".psv", ".tsv"}) {
    CorpusFolder folder;
    const char* delimiter = extension == ".tsv" ? "\t" : "|";
    folder.write("metadata_train" + extension, std::string("a") + delimiter + "x\n");
    folder.write("metadata_eval" + extension, std::string("b") + delimiter + "y\n");
    folder.sound({"wavs/a.wav", "wavs/b.wav"});
    const Corpus corpus = folder.read();
    EXPECT_EQ(corpus.format, Format::split) << extension;
    EXPECT_THAT(held_out(corpus), ElementsAre("b")) << extension;
  }
}

TEST(Corpus, SplitWithHeaderNamesFiles) {
  CorpusFolder folder;
  folder.write("metadata_train.csv", "audio_file|text|speaker_name\nwavs/a.wav|x|anna\n");
  folder.write("metadata_eval.csv", "audio_file|text|speaker_name\nwavs/b.wav|y|anna\n");
  folder.sound({"wavs/a.wav", "wavs/b.wav"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::split);
  EXPECT_THAT(faults(corpus), IsEmpty());
  EXPECT_THAT(held_out(corpus), ElementsAre("b"));
}

TEST(Corpus, SplitRowsThatBeginWithAPathAreOfATable) {
  CorpusFolder folder;
  folder.write("metadata_train.csv", "wavs/a.wav|One, two.|anna|en\nwavs/b.wav|Three.|bert|de\n");
  folder.write("metadata_eval.csv", "wavs/c.wav|Four.|anna\n");
  folder.sound({"wavs/a.wav", "wavs/b.wav", "wavs/c.wav"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::split);
  EXPECT_THAT(faults(corpus), IsEmpty());
  EXPECT_THAT(ids(corpus), ElementsAre("c", "a", "b"));
  EXPECT_EQ(corpus.utterances[1].text, "One, two.");
  EXPECT_THAT(corpus.speakers, ElementsAre("anna", "bert"));
  EXPECT_THAT(corpus.languages, ElementsAre("de", "en"));
}

TEST(Corpus, SplitRowsWithAPathMayHaveANormalisedText) {
  for (const char* row : {"wavs/a.wav|No. 5|number five|anna", "wavs/a.wav|Five|Five|anna",
                          "wavs/a.wav|我有5个苹果|我有五个苹果|anna"}) {
    CorpusFolder folder;
    folder.write("metadata_train.csv", std::string(row) + "\n");
    folder.sound({"wavs/a.wav"});
    const Corpus corpus = folder.read();
    ASSERT_THAT(corpus.utterances, SizeIs(1)) << row;
    EXPECT_THAT(row, HasSubstr("|" + corpus.utterances[0].text + "|anna"));
    EXPECT_THAT(corpus.speakers, ElementsAre("anna")) << row;
  }
}

TEST(Corpus, Vctk) {
  CorpusFolder folder;
  folder.write("txt/p226/p226_002.txt", "Ask her.\n");
  folder.write("txt/p225/p225_001.txt", "Please call\nStella.\r\n");
  folder.sound({"wav48_silence_trimmed/p225/p225_001_mic1.flac",
                "wav48_silence_trimmed/p226/p226_002_mic2.flac"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::vctk);
  EXPECT_THAT(ids(corpus), ElementsAre("p225_001", "p226_002"));
  EXPECT_EQ(corpus.utterances[0].text, "Please call Stella.");
  EXPECT_EQ(corpus.utterances[0].source, "txt/p225/p225_001.txt");
  EXPECT_EQ(corpus.utterances[1].audio, folder / "wav48_silence_trimmed/p226/p226_002_mic2.flac");
  EXPECT_THAT(corpus.speakers, ElementsAre("p225", "p226"));
}

TEST(Corpus, OlderVctk) {
  CorpusFolder folder;
  folder.write("txt/p225/p225_001.txt", "x");
  folder.sound({"wav48/p225/p225_001.wav"});
  EXPECT_EQ(folder.read().utterances.at(0).audio, folder / "wav48/p225/p225_001.wav");
}

TEST(Corpus, Libritts) {
  CorpusFolder folder;
  const auto clip = [&](const std::string& stem, const char* text) {
    folder.write(stem + ".wav", "sound");
    folder.write(stem + ".original.txt", "raw");
    if (*text != '\0') folder.write(stem + ".normalized.txt", text);
  };
  clip("train-clean-100/19/198/19_198_000000_000000", "One.");
  clip("train-clean-100/26/495/26_495_000004_000000", "");
  clip("dev-clean/84/121/84_121_000007_000000", "Two.");
  clip("test-clean/61/70/61_70_000007_000000", "Three.");
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::libritts);
  EXPECT_THAT(faults(corpus), IsEmpty());
  EXPECT_THAT(ids(corpus),
              ElementsAre("84_121_000007_000000", "19_198_000000_000000", "26_495_000004_000000"));
  EXPECT_THAT(held_out(corpus), ElementsAre("84_121_000007_000000"));
  EXPECT_EQ(corpus.utterances[1].text, "One.");
  EXPECT_EQ(corpus.utterances[2].text, "raw");
  EXPECT_THAT(corpus.speakers, ElementsAre("19", "26", "84"));
}

TEST(Corpus, CommonVoice) {
  CorpusFolder folder;
  const std::string header = "client_id\tpath\tsentence\tlocale\n";
  folder.write("train.tsv", header + "u1\ta.mp3\tEins.\tde\n");
  folder.write("dev.tsv", header + "u2\tb.mp3\tZwei.\tde\n");
  folder.write("test.tsv", header + "u3\tc.mp3\tDrei.\tde\n");
  folder.write("validated.tsv", header + "u1\ta.mp3\tEins.\tde\n");
  folder.sound({"clips/a.mp3", "clips/b.mp3", "clips/c.mp3"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::common_voice);
  EXPECT_THAT(corpus.evidence, HasSubstr("train.tsv, dev.tsv"));
  EXPECT_THAT(ids(corpus), ElementsAre("a", "b"));
  EXPECT_THAT(held_out(corpus), ElementsAre("b"));
  EXPECT_THAT(corpus.languages, ElementsAre("de"));
  EXPECT_THAT(corpus.speakers, ElementsAre("u1", "u2"));
}

TEST(Corpus, CommonVoiceWithValidatedAlone) {
  CorpusFolder folder;
  folder.write("validated.tsv", "client_id\tpath\tsentence\nu1\ta.mp3\tEins.\n");
  folder.sound({"clips/a.mp3"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::common_voice);
  EXPECT_THAT(ids(corpus), ElementsAre("a"));
}

TEST(Corpus, JsonLines) {
  CorpusFolder folder;
  folder.write("train_manifest.json", "{\"audio_filepath\": \"x/a.wav\", \"text\": \"one\"}\n");
  folder.write("val_manifest.json", "{\"audio_filepath\": \"x/b.wav\", \"text\": \"two\"}\n");
  folder.write("settings.json", "[1, 2]");
  folder.sound({"x/a.wav", "x/b.wav"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::json_lines);
  EXPECT_THAT(ids(corpus), ElementsAre("a", "b"));
  EXPECT_THAT(held_out(corpus), ElementsAre("b"));
}

TEST(Corpus, SettingsInJsonHideNoCorpus) {
  for (const char* settings : {"{\n  \"sample_rate\": 22050\n}\n", "{\"speakers\": {\"p1\": 1}}\n",
                               "{\"path\": \"wavs\", \"format\": \"wav\"}\n"}) {
    CorpusFolder folder;
    folder.write("config.json", settings);
    folder.write("filelist.txt", "wavs/a.wav|one\n");
    folder.sound({"wavs/a.wav"});
    const Corpus corpus = folder.read();
    EXPECT_EQ(corpus.format, Format::table) << settings;
    EXPECT_THAT(ids(corpus), ElementsAre("a"));
  }
}

TEST(Corpus, ManifestWithABrokenFirstLineIsOne) {
  CorpusFolder folder;
  folder.write("m.jsonl",
               "{\"audio_filepath\": \"a.wav\", \"text\": \"one\n"
               "{\"file_name\": \"b.wav\", \"transcription\": \"two\"}\n");
  folder.sound({"a.wav", "b.wav"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::json_lines);
  EXPECT_THAT(ids(corpus), ElementsAre("b"));
  EXPECT_THAT(faults(corpus), ElementsAre("m.jsonl:1 line_not_json"));
}

TEST(Corpus, TableByItsPaths) {
  CorpusFolder folder;
  folder.write("metadata.csv", "wavs/a.wav|one|anna|en\nwavs/b.wav|دو|sara|fa\n");
  folder.sound({"wavs/a.wav", "wavs/b.wav"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::table);
  EXPECT_THAT(corpus.languages, ElementsAre("en", "fa"));
  EXPECT_THAT(corpus.speakers, ElementsAre("anna", "sara"));
}

TEST(Corpus, TableByItsHeaderAndNames) {
  CorpusFolder folder;
  folder.write("train.txt", "path\ttext\na\tone\n");
  folder.write("val.txt", "path\ttext\nb\ttwo\n");
  folder.write("notes.txt", "just words\n");
  folder.sound({"a.wav", "b.wav"});
  const Corpus corpus = folder.read();
  EXPECT_EQ(corpus.format, Format::table);
  EXPECT_THAT(held_out(corpus), ElementsAre("b"));
  EXPECT_THAT(faults(corpus), IsEmpty());
}

TEST(Corpus, OneFileMayBeNamed) {
  CorpusFolder folder;
  folder.write("metadata.csv", "a|x\n");
  const auto file = folder.write("other.lst", "wavs/b.wav|y\n");
  folder.sound({"wavs/a.wav", "wavs/b.wav"});
  const Corpus corpus = read_corpus(file, {});
  EXPECT_EQ(corpus.format, Format::table);
  EXPECT_EQ(corpus.folder, folder.path());
  EXPECT_THAT(ids(corpus), ElementsAre("b"));
}

TEST(Corpus, FormatMayBeForced) {
  CorpusFolder folder;
  folder.write("metadata.csv", "wavs/a.wav|one|eins\n");
  folder.sound({"wavs/a.wav"});
  const Corpus forced = folder.read({.format = Format::ljspeech});
  EXPECT_EQ(forced.format, Format::ljspeech);
  EXPECT_EQ(forced.utterances.at(0).text, "eins");
  EXPECT_EQ(folder.read().utterances.at(0).speaker, "eins");
}

TEST(Corpus, WhereNothingFitsTheErrorSaysWhatWasLookedForAndFound) {
  CorpusFolder folder;
  folder.sound({"music/a.mp3", "readme.md"});
  EXPECT_THAT(
      error_message([&] { folder.read(); }),
      AllOf(HasSubstr("looked for train.tsv"), HasSubstr("metadata.csv"),
            HasSubstr("found 1 file (readme.md) and 1 folder (music)"), HasSubstr("data.format")));
  EXPECT_THAT(error_message([&] { folder.read({.format = Format::vctk}); }),
              AllOf(HasSubstr("txt/<speaker>"), testing::Not(HasSubstr("metadata_train"))));
  EXPECT_THAT(error_message([&] { read_corpus(folder / "absent", {}); }),
              HasSubstr("expected a corpus in"));
  EXPECT_THAT(error_message([&] { read_corpus(folder / "readme.md", {}); }),
              HasSubstr("expected rows"));
  EXPECT_THAT(
      error_message([&] { read_corpus(folder / "readme.md", {.format = Format::libritts}); }),
      HasSubstr("expected the folder"));
}

TEST(Corpus, SameForAnyNumberOfThreads) {
  CorpusFolder folder;
  std::string metadata;
  for (int i = 0; i < 3000; ++i) {
    metadata += fmt::format("c{}|text {}\n", i % 2900, i);
    if (i % 7 != 0) folder.write(fmt::format("wavs/c{}.wav", i), "s");
  }
  folder.write("metadata.csv", metadata);
  const Corpus one = folder.read({.threads = 1});
  const Corpus four = folder.read({.threads = 4});
  EXPECT_EQ(one.utterances, four.utterances);
  EXPECT_EQ(one.faults, four.faults);
  EXPECT_THAT(one.faults, SizeIs(100 + 415));
}

TEST(Corpus, WithoutCheckingTheFirstPlaceIsTaken) {
  CorpusFolder folder;
  folder.write("metadata.csv", "a|x\nb.flac|y\n");
  const Corpus corpus = folder.read({.format = Format::ljspeech, .check_audio = false});
  EXPECT_THAT(corpus.faults, IsEmpty());
  EXPECT_EQ(corpus.utterances.at(0).audio, folder / "wavs/a.wav");
}

std::filesystem::path shared_data() {
  const char* given = std::getenv("SEDA_SHARED_DATA");
  return given != nullptr ? given : testing_support::source_folder() / "../shared/data";
}

TEST(Corpus, RealLjspeech) {
  const auto folder = shared_data() / "ljspeech32";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  const Corpus corpus = read_corpus(folder, {});
  EXPECT_EQ(corpus.format, Format::ljspeech);
  EXPECT_THAT(faults(corpus), IsEmpty());
  EXPECT_THAT(corpus.utterances, SizeIs(32));
}

}  // namespace
}  // namespace seda::dataset
