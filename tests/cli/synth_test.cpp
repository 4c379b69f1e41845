// SPDX-License-Identifier: Apache-2.0
// `seda synth` as people call it, as far as no torch is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/wav_info.h"
#include "seda/cli/speech_output.h"
#include "seda/cli/speech_texts.h"
#include "tests/support/error_message.h"
#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_message;
using testing_support::run_seda;
using testing_support::TemporaryFolder;
namespace fs = std::filesystem;

class SynthVerb : public testing::Test {
 protected:
  testing_support::ProgramResult run(const std::string& arguments) const {
    return run_seda("synth " + arguments, folder_.path());
  }
  void expect_refused(const std::string& arguments, int exit_code, const std::string& says) const {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(says)) << arguments;
  }

  TemporaryFolder folder_;
};

TEST_F(SynthVerb, WantsACheckpoint) {
  expect_refused("--text hello", 2, "--checkpoint DIR");
  expect_refused("--text hello --checkpoint gone", 3, "gone: expected a checkpoint");
  fs::create_directory(folder_ / "empty");
  expect_refused("--text hello --checkpoint empty", 3, "empty: expected a checkpoint");
}

TEST_F(SynthVerb, TakesTheVoiceOfAConfiguration) {
  folder_.write("voice.yaml", "training: {checkpoint_dir: runs/voice}\n");
  expect_refused("--text hello --config voice.yaml", 3, "runs/voice: expected a checkpoint");
  expect_refused("--text hello --config voice.yaml -c other", 3, "other: expected a checkpoint");
  expect_refused("--text hello --config gone.yaml -c other", 2, "gone.yaml");
}

TEST_F(SynthVerb, TakesTheFolderThatTrainingLeavesWhereNothingIsNamed) {
  fs::create_directory(folder_ / "checkpoints");
  expect_refused("--text hello", 3, "checkpoints: expected a checkpoint");
}

TEST_F(SynthVerb, RefusesValuesThatCannotBeBeforeItLooksForTheCheckpoint) {
  expect_refused("--text a --checkpoint gone --speaking-rate 9", 2, "0.25 to 4");
  expect_refused("--text a --checkpoint gone --temperature=-1", 2, "--temperature");
  expect_refused("--text a --checkpoint gone --steps 0", 2, "--steps");
  expect_refused("--text a --checkpoint gone --solver heun", 2, "heun");
  expect_refused("--text a --checkpoint gone --batch-size 0", 2, "--batch-size");
  expect_refused("--text a --checkpoint gone --speaker b --reference-audio c.wav", 2,
                 "one of them");
  expect_refused("--text a --checkpoint gone --json --output -", 2, "both want stdout");
}

TEST_F(SynthVerb, ShowsExamples) {
  EXPECT_THAT(run("--help").out, AllOf(HasSubstr("Examples:"), HasSubstr("--reference-audio")));
}

TEST(SpeechTexts, AreTheTextsThenTheLinesOfFiles) {
  const TemporaryFolder folder;
  folder.write("lines.txt", "one\r\n\n  \ntwo");
  EXPECT_THAT(read_speech_texts({"zero"}, {(folder / "lines.txt").string()}),
              ElementsAre("zero", "one", "two"));
}

TEST(SpeechTexts, ThatAreEmptyOrMissingAreRefused) {
  const TemporaryFolder folder;
  folder.write("empty.txt", "\n \n");
  EXPECT_THAT(error_message([] { read_speech_texts({"a", " "}, {}); }), HasSubstr("empty text"));
  EXPECT_THAT(error_message([&] { read_speech_texts({}, {(folder / "empty.txt").string()}); }),
              AllOf(HasSubstr("empty.txt"), HasSubstr("found none")));
  EXPECT_THAT(error_message([&] { read_speech_texts({}, {(folder / "gone.txt").string()}); }),
              HasSubstr("gone.txt"));
}

TEST(SpeechOutput, IsAFileForOneTextAndAFolderForMany) {
  const TemporaryFolder folder;
  const std::string here = folder.path().string();
  EXPECT_THAT(plan_outputs("", 1), ElementsAre("speech.wav"));
  EXPECT_THAT(plan_outputs("", 2), ElementsAre("speech/0001.wav", "speech/0002.wav"));
  EXPECT_THAT(plan_outputs("a.wav", 1), ElementsAre("a.wav"));
  EXPECT_THAT(plan_outputs("new/", 1), ElementsAre("new/0001.wav"));
  EXPECT_THAT(plan_outputs(here, 1), ElementsAre(here + "/0001.wav"));
  EXPECT_THAT(plan_outputs("-", 2), ElementsAre("-", "-"));
  EXPECT_THAT(error_message([] { plan_outputs("a.wav", 2); }),
              AllOf(HasSubstr("a.wav"), HasSubstr("2 texts")));
}

TEST(SpeechOutput, RefusesTheNameOfAnotherKindOfSound) {
  for (const char* name : {"out.mp3", "a/b.FLAC", "x.ogg"}) {
    for (const size_t texts : {1, 2}) {
      EXPECT_THAT(error_message([&] { plan_outputs(name, texts); }),
                  HasSubstr(std::string("--output ") + name + ": speech is written as wav"));
    }
  }
}

TEST(SpeechOutput, WritesATextWhenItsLastPieceCame) {
  const TemporaryFolder folder;
  const std::vector<std::string> texts = {"hello", "world"};
  const auto output = make_speech_output((folder / "out").string(), texts, 8000);
  const std::vector<float> piece(4000, 0.25F);
  output->take({0, piece, false});
  EXPECT_FALSE(fs::exists(folder / "out/0001.wav"));
  output->take({0, piece, true});
  output->take({1, piece, true});
  ASSERT_EQ(output->spoken().size(), 2u);
  EXPECT_EQ(output->spoken()[0].text, "hello");
  EXPECT_EQ(output->spoken()[0].seconds, 1);
  EXPECT_EQ(output->spoken()[1].seconds, 0.5);
  const auto info = audio::read_wav_info(folder / "out/0001.wav");
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->frames, 8000u);
  EXPECT_EQ(info->sample_rate, 8000u);
}

TEST(SpeechOutput, StreamsBehindAHeaderThatLeavesTheLengthOpen) {
  const std::vector<std::string> texts = {"hello", "world"};
  const auto output = make_speech_output("-", texts, 8000);
  const std::vector<float> piece(100, 0.25F);
  testing::internal::CaptureStdout();
  output->take({0, piece, false});
  output->take({0, piece, true});
  output->take({1, piece, true});
  const std::string bytes = testing::internal::GetCapturedStdout();
  EXPECT_EQ(bytes.size(), 44u + 3 * 100 * 2);
  const auto info = audio::parse_wav_info(std::as_bytes(std::span(bytes)), bytes.size());
  ASSERT_TRUE(info.has_value());
  EXPECT_TRUE(info->open_ended);
  EXPECT_EQ(info->frames, 300u);
  EXPECT_EQ(output->spoken().size(), 2u);
  EXPECT_EQ(output->spoken()[0].path, "-");
  EXPECT_EQ(output->spoken()[0].seconds, 0.025);
}

}  // namespace
}  // namespace seda::cli
