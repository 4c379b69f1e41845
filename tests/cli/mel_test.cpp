// SPDX-License-Identifier: Apache-2.0
// `seda mel` as people call it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/device/platform.h"
#include "tests/support/npy.h"
#include "tests/support/run_program.h"
#include "tests/support/small_wav.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing_support::read_npy;
using testing_support::run_seda;
using testing_support::TemporaryFolder;
namespace fs = std::filesystem;

class MelVerb : public testing::Test {
 protected:
  MelVerb() {
    for (int i = 0; i < 4; ++i)
      folder_.write("in/c" + std::to_string(i) + ".wav", testing_support::small_wav(i));
  }

  testing_support::ProgramResult run(const std::string& arguments) const {
    return run_seda("mel " + arguments, folder_.path());
  }

  const TemporaryFolder folder_;
};

TEST_F(MelVerb, WritesBesideWhereItRuns) {
  const auto result = run("in/c1.wav");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("in/c1.wav  0.100 s  80 x 8  c1.npy\n"));
  const auto mel = read_npy(folder_ / "c1.npy");
  EXPECT_EQ(mel.rows, 80u);
  EXPECT_EQ(mel.columns, 8u);
}

TEST_F(MelVerb, JsonHasWhatScriptsRelyOn) {
  const auto result = run("in/c0.wav in/c1.wav --output out --json --num-workers 2");
  const Json json = parse_json(result.out, "stdout");
  ASSERT_EQ(json["files"].size(), 2u);
  EXPECT_EQ(json["device"], "cpu");
  const Json& file = json["files"][1];
  EXPECT_EQ(file["path"], "in/c1.wav");
  EXPECT_EQ(file["frames"], 8);
  EXPECT_EQ(file["n_mels"], 80);
  EXPECT_DOUBLE_EQ(file["seconds"].get<double>(), 0.1);
  EXPECT_EQ(file["output"], "out/c1.npy");
  EXPECT_TRUE(fs::exists(folder_ / "out/c1.npy"));
}

TEST_F(MelVerb, NoSoundIsWrittenOver) {
  const std::string sound = testing_support::read_file(folder_ / "in/c1.wav");
  folder_.write("in/c1.png", sound);
  for (const char* arguments :
       {"in/c1.wav -o in/c1.wav", "in/c1.wav --output in/../in/c1.wav", "in/c1.png --png -o in/"}) {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.err, HasSubstr("name another --output")) << arguments;
  }
  EXPECT_EQ(testing_support::read_file(folder_ / "in/c1.wav"), sound);
  EXPECT_EQ(testing_support::read_file(folder_ / "in/c1.png"), sound);
}

TEST_F(MelVerb, AnyNumberOfWorkersWritesTheSame) {
  run("in/*.wav --output one --num-workers 1");
  run("in/*.wav --output four --num-workers 4");
  for (const auto& entry : fs::directory_iterator(folder_ / "one")) {
    const auto other = folder_ / "four" / entry.path().filename();
    EXPECT_EQ(testing_support::read_file(entry.path()), testing_support::read_file(other));
  }
}

TEST_F(MelVerb, OneInputGoesToTheFileOrFolderThatIsNamed) {
  EXPECT_EQ(run("in/c0.wav --output new/a.npy").exit_code, 0);
  EXPECT_TRUE(fs::is_regular_file(folder_ / "new/a.npy"));
  EXPECT_EQ(run("in/c0.wav --output new").exit_code, 0) << "a folder that is there";
  EXPECT_TRUE(fs::is_regular_file(folder_ / "new/c0.npy"));
  EXPECT_EQ(run("in/c0.wav --output other/").exit_code, 0) << "one that is not yet";
  EXPECT_TRUE(fs::is_regular_file(folder_ / "other/c0.npy"));
}

TEST_F(MelVerb, APictureStandsBesideTheNumbers) {
  const auto result = run("in/c0.wav --png --output out/a.npy --json");
  EXPECT_EQ(parse_json(result.out, "stdout")["files"][0]["picture"], "out/a.png");
  EXPECT_THAT(testing_support::read_file(folder_ / "out/a.png"), StartsWith("\x89PNG"));
  EXPECT_TRUE(fs::exists(folder_ / "out/a.npy"));
  const auto clash = run("in/c0.wav --png --output out/b.png");
  EXPECT_EQ(clash.exit_code, 2);
  EXPECT_THAT(clash.err, HasSubstr(".npy"));
}

TEST_F(MelVerb, KeysAndFlagsChangeTheDefinition) {
  folder_.write("seda.yaml", "data: {mel: {n_mels: 40}}\n");
  EXPECT_EQ(run("in/c0.wav --output a.npy").exit_code, 0);
  EXPECT_EQ(read_npy(folder_ / "a.npy").rows, 40u);
  EXPECT_EQ(run("in/c0.wav --output b.npy --n-mels 100 --preset tacotron2").exit_code, 0);
  EXPECT_EQ(read_npy(folder_ / "b.npy").rows, 100u);
  EXPECT_EQ(read_npy(folder_ / "b.npy").columns, 9u) << "centred";
  EXPECT_EQ(run("in/c0.wav --output c.npy --sample-rate 44100").exit_code, 0);
  EXPECT_EQ(read_npy(folder_ / "c.npy").columns, 17u) << "resampled";
  const auto wrong = run("in/c0.wav --n-fft 1022");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("data.mel.n_fft"), HasSubstr("1024 would do")));
}

TEST_F(MelVerb, BadFilesAreNamedAndTheOthersMade) {
  folder_.write("in/bad.wav", "no sound");
  folder_.write("in/short.wav", testing_support::small_wav(1).substr(0, 44));
  const auto result = run("in/bad.wav in/c1.wav in/short.wav in/gone.wav --output out");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("in/bad.wav: audio_format"), HasSubstr("in/gone.wav: audio_missing"),
                    HasSubstr("3 of 4 files have no mel")));
  EXPECT_TRUE(fs::exists(folder_ / "out/c1.npy"));
  EXPECT_FALSE(fs::exists(folder_ / "out/bad.npy"));
  const auto json = parse_json(run("in/bad.wav in/c1.wav --output out --json").out, "stdout");
  EXPECT_EQ(json["files"].size(), 1u);
  ASSERT_EQ(json["faults"].size(), 1u);
  EXPECT_EQ(json["faults"][0]["code"], "audio_format");
}

TEST_F(MelVerb, NamesThatCollideAreRefusedBeforeAnyWork) {
  folder_.write("other/c1.wav", testing_support::small_wav(7));
  const auto result = run("in/c0.wav in/c1.wav other/c1.wav --output out");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("in/c1.wav"), HasSubstr("other/c1.wav"), HasSubstr("out/c1.npy")));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(MelVerb, ManyInputsDoNotGoToOneFile) {
  const auto result = run("in/c0.wav in/c1.wav --output both.npy");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--output both.npy: names a file, and there are 2 inputs"));
  EXPECT_FALSE(fs::exists(folder_ / "both.npy"));
}

TEST_F(MelVerb, BadUseIsNamed) {
  EXPECT_EQ(run("").exit_code, 2);
  EXPECT_EQ(run("in/c0.wav --preset nothing").exit_code, 2);
  EXPECT_THAT(run("in/c0.wav --output -").err, HasSubstr("--output -: a mel goes to a file"));
  EXPECT_FALSE(fs::exists(folder_ / "-"));
  folder_.write("taken", "a file");
  EXPECT_EQ(run("in/c0.wav in/c1.wav --output taken").exit_code, 3);
  EXPECT_THAT(run("--help").out, HasSubstr("Examples:"));
}

TEST_F(MelVerb, ComparesTheCpuWithAGpuOrSaysThatThereIsNone) {
  const auto result = run("in/c0.wav in/c1.wav --output out --compare --json");
  const device::Platform platform;
  if (!platform.has(device::cuda(0))) {
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr(platform.cuda_absence()));
    EXPECT_FALSE(fs::exists(folder_ / "out"));
    return;
  }
  const Json json = parse_json(result.out, "stdout");
  EXPECT_EQ(json["device"], "cuda:0");
  EXPECT_LE(json["max_abs_difference"].get<double>(), 3e-3);
}

TEST_F(MelVerb, RefusesADeviceThatIsNone) {
  const auto result = run("in/c0.wav --device tpu");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("tpu"));
}

}  // namespace
}  // namespace seda::cli
