// SPDX-License-Identifier: Apache-2.0
#include "seda/train/checkpoint.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/file.h"
#include "seda/base/random.h"
#include "seda/train/checkpoint_writer.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

using ::seda::testing_support::error_message;
using ::seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

VoiceDescription voice() {
  VoiceDescription out;
  out.model.symbols = 40;
  out.model.mel_mean = -5.25F;
  out.config.set("data.text.phonemes", false,
                 {.origin = config::Origin::flag, .place = {}, .flag = "x"});
  out.config.set("training.lr", 1e-3, {.origin = config::Origin::flag, .place = {}, .flag = "x"});
  out.tokenizer = to_json_text(
      text::make_symbol_tokenizer(text::TokenizerKind::characters, {"a", "b"}, true)->artefact(),
      -1);
  out.language = "fa";
  out.speakers = {"لیلا", "rms"};
  out.languages = {"en", "fa"};
  return out;
}

/// A state of two small tensors.
struct State {
  std::vector<float> values = {1, 2, 3, 4};

  EngineState view() const {
    EngineState state;
    const auto bytes = std::as_bytes(std::span(values));
    state.average = {{"encoder.weight", TensorType::f32, {2, 2}, bytes}};
    state.training = {{"weights.encoder.weight", TensorType::f32, {4}, bytes}};
    return state;
  }
};

RunProgress progress(uint64_t updates) {
  RunProgress out;
  out.updates = updates;
  out.sampler = {.epoch = 3, .batch = 17};
  out.seed = 9;
  out.threads = 2;
  return out;
}

TEST(Checkpoint, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  const auto path = write_checkpoint(folder.path(), voice(), progress(1000), State().view());
  EXPECT_EQ(path, folder / "step-00001000");
  const Checkpoint found = Checkpoint::open(folder.path());
  EXPECT_EQ(found.folder(), path);
  EXPECT_EQ(found.progress(), progress(1000));
  EXPECT_EQ(found.voice().model, voice().model);
  EXPECT_EQ(found.voice().speakers, voice().speakers);
  EXPECT_EQ(found.voice().config.number("training.lr"), 1e-3);
  EXPECT_EQ(found.voice().config.number("training.weight_decay"), 0.01);
  EXPECT_NE(found.average().find("encoder.weight"), nullptr);
  EXPECT_NE(found.training().find("weights.encoder.weight"), nullptr);
  EXPECT_EQ(found.frontend()->apply("ab", "en").encoded.tokens.size(), 5u);
  EXPECT_THAT(differences(found.voice(), voice()), testing::IsEmpty());
}

TEST(Checkpoint, TheNewestOfAFolderIsOpened) {
  const TemporaryFolder folder;
  for (const uint64_t updates : {900, 100'000'000, 1000})
    write_checkpoint(folder.path(), voice(), progress(updates), State().view());
  EXPECT_EQ(Checkpoint::open(folder.path()).progress().updates, 100'000'000u);
}

TEST(Checkpoint, OneOfTheSameNameMovesAside) {
  const TemporaryFolder folder;
  State state;
  write_checkpoint(folder.path(), voice(), progress(5), state.view());
  state.values = {9, 9, 9, 9};
  write_checkpoint(folder.path(), voice(), progress(5), state.view());
  const Checkpoint found = Checkpoint::open(folder.path());
  EXPECT_EQ(static_cast<int>(found.average().tensors()[0].bytes[3]), 0x41);  // 9.0F
  EXPECT_THAT(list_checkpoints(folder.path()), ElementsAre(folder / "step-00000005"));
  const Checkpoint before = Checkpoint::open(folder / "before-1");
  EXPECT_EQ(static_cast<int>(before.average().tensors()[0].bytes[3]), 0x3f);  // 1.0F
}

TEST(Checkpoint, WhatAKilledWriterLeftIsNoneAndGoesAway) {
  const TemporaryFolder folder;
  folder.write(".step-00000007.4242/model.safetensors", "half");
  write_checkpoint(folder.path(), voice(), progress(5), State().view());
  EXPECT_EQ(Checkpoint::open(folder.path()).progress().updates, 5u);
  prune_checkpoints(folder.path(), 3, {});
  EXPECT_FALSE(std::filesystem::exists(folder / ".step-00000007.4242"));
}

TEST(Checkpoint, WhatAKilledWriterLeftGoesAwayWithoutAnotherCheckpoint) {
  const TemporaryFolder folder;
  folder.write(".step-00000007.4242/model.safetensors", "half");
  std::filesystem::create_symlink("step-00000007", folder / ".best");
  const auto whole = write_checkpoint(folder.path(), voice(), progress(5), State().view());
  remove_unfinished(folder.path());
  EXPECT_THAT(list_checkpoints(folder.path()), ElementsAre(whole));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

/// Prunes all but one of many checkpoints in a process that is killed after `delay`.
void prune_and_kill(const std::filesystem::path& runs, std::chrono::microseconds delay) {
  const pid_t child = fork();
  if (child == 0) {
    prune_checkpoints(runs, 1, {});
    _exit(0);
  }
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
}

TEST(Checkpoint, AKillWhileOldOnesAreRemovedLeavesWholeOnes) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), voice(), progress(1), State().view());
  Random random(1);
  for (int round = 0; round < 15; ++round) {
    for (int i = 2; i < 30; ++i) {
      std::filesystem::copy(folder / "step-00000001", folder.path() / checkpoint_name(i),
                            std::filesystem::copy_options::recursive |
                                std::filesystem::copy_options::overwrite_existing);
    }
    std::filesystem::rename(folder / "step-00000001", folder / "kept");
    prune_and_kill(folder.path(), std::chrono::microseconds(random.below(3000)));
    std::filesystem::rename(folder / "kept", folder / "step-00000001");
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      if (!entry.path().filename().string().starts_with("step-")) continue;
      EXPECT_NO_THROW(Checkpoint::open(entry.path())) << "round " << round;
    }
  }
  prune_checkpoints(folder.path(), 1, {});
  EXPECT_THAT(list_checkpoints(folder.path()), ElementsAre(folder / "step-00000029"));
}

/// Damages one file of a checkpoint and says what opening it says.
template <typename Damage>
std::string damaged(const char* file, Damage damage) {
  const TemporaryFolder folder;
  const auto path = write_checkpoint(folder.path(), voice(), progress(5), State().view()) / file;
  std::string content = read_file(path);
  damage(content);
  write_file(path, content);
  return error_message([&] { Checkpoint::open(folder.path()); });
}

TEST(Checkpoint, DamageIsFoundAndNamed) {
  const auto flip = [](std::string& content) { content.back() ^= 1; };
  const auto cut = [](std::string& content) { content.pop_back(); };
  EXPECT_THAT(damaged("model.safetensors", flip),
              AllOf(HasSubstr("model.safetensors: damaged"), HasSubstr("--resume")));
  EXPECT_THAT(damaged("training.safetensors", cut), HasSubstr("training.safetensors: damaged"));
  EXPECT_THAT(damaged("checkpoint.json", [](std::string& content) { content.resize(40); }),
              HasSubstr("checkpoint.json"));
  EXPECT_THAT(damaged("checkpoint.json", [](std::string& content) { content = "{}"; }),
              HasSubstr("checkpoint.json: expected a value 'format', found none"));
}

TEST(Checkpoint, ANewerFormatIsRefusedByItsNumber) {
  const auto message = damaged("checkpoint.json", [](std::string& content) {
    content.replace(content.find("\"format\": 1"), 11, "\"format\": 7");
  });
  EXPECT_THAT(message, AllOf(HasSubstr("format 1 or older, found 7"),
                             HasSubstr("written by seda 0."), HasSubstr("newer")));
}

TEST(Checkpoint, ANewerFormatMayHaveNoVersion) {
  const auto message =
      damaged("checkpoint.json", [](std::string& content) { content = R"({"format": 7})"; });
  EXPECT_THAT(message, HasSubstr("found 7, written by another seda"));
}

TEST(Checkpoint, AConfigurationIsAnObject) {
  const auto message = damaged("checkpoint.json", [](std::string& content) {
    Json description = parse_json(content, "checkpoint.json");
    description["voice"]["config"] = Json::array();
    content = to_json_text(description);
  });
  EXPECT_THAT(message, HasSubstr("config: expected an object, found []"));
}

TEST(Checkpoint, ADescriptionThatIsNestedWithoutEndIsRefused) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const auto message = damaged("checkpoint.json", [&](std::string& content) {
    content.insert(content.find("\"tokenizer\": ") + 13, deep + ", \"before\": ");
  });
  EXPECT_THAT(message, AllOf(HasSubstr("checkpoint.json"), HasSubstr("nested too deeply")));
}

TEST(Checkpoint, AConfigurationsWholeNumbersAreWhole) {
  for (const char* value : {"16.9", "true", "1e300"}) {
    const auto message = damaged("checkpoint.json", [&](std::string& content) {
      Json description = parse_json(content, "checkpoint.json");
      description["voice"]["config"]["data.batch_size"] = Json::parse(value);
      content = to_json_text(description);
    });
    EXPECT_THAT(message, AllOf(HasSubstr("checkpoint.json"),
                               HasSubstr("data.batch_size: expected a whole number, found")))
        << value;
  }
}

TEST(Checkpoint, AFolderWithoutOneSaysWhatWasExpected) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_message([&] { Checkpoint::open(folder.path()); }),
              AllOf(HasSubstr("expected a checkpoint"), HasSubstr("found neither")));
  EXPECT_THAT(error_message([&] { Checkpoint::open(folder / "none"); }),
              HasSubstr("no such folder"));
}

TEST(CheckpointWriter, LetsGoOfAStateOnceItIsWritten) {
  constexpr std::chrono::minutes kPatience{1};
  const TemporaryFolder runs;
  const State values;
  EngineState state = values.view();
  std::promise<void> gone;
  state.memory = std::shared_ptr<const void>(&values, [&](const void*) { gone.set_value(); });
  CheckpointWriter writer(runs.path(), 1);
  writer.write(voice(), progress(1), std::move(state), false);
  EXPECT_EQ(gone.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(Differences, NameWhatDiffersAndNothingElse) {
  VoiceDescription other = voice();
  other.model.hidden_size = 256;
  other.model.mel_mean = 0;
  other.mel.n_mels = 100;
  other.speakers = {"rms"};
  EXPECT_THAT(differences(voice(), other),
              ElementsAre("model.hidden_size: 128 in the checkpoint, 256 now",
                          "mel.n_mels: 80 in the checkpoint, 100 now",
                          HasSubstr("speakers: [\"لیلا\",\"rms\"] in the checkpoint")));
}

}  // namespace
}  // namespace seda::train
