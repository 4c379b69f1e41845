// SPDX-License-Identifier: Apache-2.0
// What other people's programs make of the files that are written here.
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/train/checkpoint.h"
#include "seda/train/event_file.h"
#include "seda/train/safetensors.h"
#include "seda/train/train.h"
#include "tests/feed/clips.h"
#include "tests/support/run_program.h"
#include "tests/support/source_folder.h"
#include "tests/train/fake_engine.h"
#include "tests/train/tensors.h"

namespace seda::train {
namespace {

using seda::testing_support::ProgramResult;
using seda::testing_support::run_shell;
using seda::testing_support::source_folder;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::bytes_of;

constexpr int kPackageMissing = 77;
constexpr int kPythonMissing = 127;

/// With the packages of `scripts/setup.sh readers`, where they are; otherwise its own.
constexpr const char* kPython = R"(
readers="${SEDA_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/seda}/readers"
if [ -d "$readers" ]; then
  python() { PYTHONPATH="$readers" /usr/bin/python3 "$@"; }
else
  python() { python3 "$@"; }
fi
)";

class ForeignReader : public testing::Test {
 protected:
  ProgramResult read_with(const std::string& script, const std::filesystem::path& path) const {
    return run_shell(
        fmt::format("{}python '{}' '{}'", kPython,
                    (source_folder() / "tests/train" / script).string(), path.string()),
        folder.path());
  }

  static bool is_missing(const ProgramResult& result) {
    return result.exit_code == kPackageMissing || result.exit_code == kPythonMissing;
  }

  static std::string no_package(const ProgramResult& result) {
    return "no package to read it with (scripts/setup.sh readers installs it): " + result.err;
  }

  TemporaryFolder folder;
};

TEST_F(ForeignReader, SafetensorsPackageReadsAndWritesTheSame) {
  const auto path = folder / "weights.safetensors";
  const std::vector<TensorView> tensors = {
      {"a.weight", TensorType::f32, {1, 2}, bytes_of("abcdefgh")},
      {"b.half", TensorType::f16, {2}, bytes_of("abcd")},
      {"c.brain", TensorType::bf16, {2}, bytes_of("efgh")},
      {"d.steps", TensorType::i64, {}, bytes_of("12345678")},
      {"e.none", TensorType::u8, {0, 4}, {}},
      {"f.flags", TensorType::boolean, {2}, bytes_of(std::string_view("\0\1", 2))},
      {"وزن", TensorType::i32, {1}, bytes_of("wxyz")}};
  write_safetensors(path, tensors, {{"format", "pt"}});
  const auto result = read_with("read_safetensors.py", path);
  if (is_missing(result)) GTEST_SKIP() << no_package(result);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "a.weight F32 1,2 6162636465666768\n"
            "b.half F16 2 61626364\n"
            "c.brain BF16 2 65666768\n"
            "d.steps I64 - 3132333435363738\n"
            "e.none U8 0,4 -\n"
            "f.flags BOOL 2 0001\n"
            "وزن I32 1 7778797a\n"
            "same bytes\n");
}

VoiceDescription small_voice() {
  VoiceDescription voice;
  voice.tokenizer = to_json_text(
      text::make_symbol_tokenizer(text::TokenizerKind::characters, {"a"}, true)->artefact(), -1);
  return voice;
}

TEST_F(ForeignReader, SafetensorsPackageReadsBothFilesOfACheckpoint) {
  EngineState state;
  state.average = {{"encoder.weight", TensorType::f32, {2, 1}, bytes_of("abcdefgh")}};
  state.training = {{"moments.first", TensorType::f32, {1}, bytes_of("ijkl")},
                    {"weights.encoder", TensorType::bf16, {2}, bytes_of("mnop")}};
  const auto path = write_checkpoint(folder.path(), small_voice(), {}, state);
  const auto average = read_with("read_safetensors.py", path / "model.safetensors");
  if (is_missing(average)) GTEST_SKIP() << no_package(average);
  EXPECT_EQ(average.out, "encoder.weight F32 2,1 6162636465666768\nsame bytes\n") << average.err;
  const auto training = read_with("read_safetensors.py", path / "training.safetensors");
  EXPECT_EQ(training.out,
            "moments.first F32 1 696a6b6c\nweights.encoder BF16 2 6d6e6f70\nsame bytes\n")
      << training.err;
}

/// Two runs in one folder. The first ends in half a record, as when it is killed; the second goes
/// on from step 2, which the first had passed.
void write_two_runs(const std::filesystem::path& folder) {
  double now = 1750000000.25;
  const EventFileOptions options{.now_s = [&now] { return now; }};
  {
    EventFile first(folder, options);
    for (int step = 1; step <= 3; ++step)
      first.scalar("loss/mel", step * 0.5, step);
    first.flush();
    std::ofstream(first.path(), std::ios::app) << "half a record";
  }
  now += 100;
  EventFile second(folder, options);
  second.restart(2);
  second.scalar("loss/mel", 7, 2);
  second.image("mel", {.png = "PNG", .width = 300, .height = 80}, 2);
  second.audio("speech", {.wav = "RIFF", .sample_rate = 22050, .frames = 2}, 2);
  second.text("settings", "سلام", 2);
}

TEST_F(ForeignReader, TensorBoardShowsWhatWasWritten) {
  write_two_runs(folder / "runs");
  const auto result = read_with("read_events.py", folder / "runs");
  if (is_missing(result)) GTEST_SKIP() << no_package(result);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "scalar loss/mel 1 1750000000.25 0.5\n"
            "scalar loss/mel 2 1750000100.25 7.0\n"
            "image mel 2 300 80 504e47\n"
            "audio speech 2 22050.0 2 audio/wav 52494646\n"
            "text settings 2 سلام\n"
            "page scalars loss/mel 1\n"
            "page scalars loss/mel 2\n"
            "page scalars loss/mel 3\n"
            "page scalars loss/mel 2\n"
            "page images mel 2\n"
            "page audio speech 2\n"
            "page text settings 2\n");
}

/// Six steps of a run that validates after the third.
void train_a_little(const std::filesystem::path& runs) {
  const feed::Clips corpus(20);
  config::Config config;
  const auto set = [&](const char* key, config::Value value) {
    config.set(key, std::move(value), {.origin = config::Origin::flag, .place = {}, .flag = "x"});
  };
  set("data.text.phonemes", false);
  set("data.text.tokenizer", std::string("characters"));
  set("data.model_gpu", std::string("cpu"));
  set("data.batch_size", int64_t{4});
  set("data.validation_share", 0.2);
  set("training.max_steps", int64_t{6});
  set("training.log_every", int64_t{2});
  set("training.eval_every", int64_t{3});
  set("training.checkpoint_dir", runs.string());
  train(train_options(config, corpus.path()), testing_support::FakeLibrary(), device::Platform());
}

TEST_F(ForeignReader, TensorBoardShowsCurvesPicturesAndSpeechOfARun) {
  train_a_little(folder / "run");
  const auto result = read_with("read_events.py", folder / "run/tensorboard");
  if (is_missing(result)) GTEST_SKIP() << no_package(result);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* step : {"2", "4", "6"}) {
    EXPECT_THAT(result.out, AllOf(HasSubstr(fmt::format("scalar loss/total {} ", step)),
                                  HasSubstr(fmt::format("scalar lr {} ", step))));
  }
  for (const char* step : {"3", "6"}) {
    EXPECT_THAT(result.out,
                AllOf(HasSubstr(fmt::format("scalar validation/total {} ", step)),
                      testing::ContainsRegex(fmt::format(
                          "image alignment/clip[0-9]+ {} [0-9]+ [0-9]+ 89504e47", step)),
                      testing::ContainsRegex(
                          fmt::format("image mel/clip[0-9]+ {} [0-9]+ [0-9]+ 89504e47", step)),
                      testing::ContainsRegex(fmt::format(
                          "audio speech/clip[0-9]+ {} 22050.0 [0-9]+ audio/wav 52494646", step))));
  }
}

}  // namespace
}  // namespace seda::train
