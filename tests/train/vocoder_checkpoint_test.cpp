// SPDX-License-Identifier: Apache-2.0
#include "seda/train/vocoder_checkpoint.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/file.h"
#include "seda/base/json.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

using ::seda::testing_support::error_message;
using ::seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

VocoderDescription small_vocoder() {
  const model::VocoderSize size = model::vocoder_size("tiny");
  return {.network = size.network, .discriminators = size.discriminators};
}

EngineState some_state() {
  auto memory = std::make_shared<std::vector<float>>(3, 0.5F);
  EngineState state;
  state.average = {{"w", TensorType::f32, {3}, std::as_bytes(std::span(*memory))}};
  state.training = {
      {"generator.weights.w", TensorType::f32, {3}, std::as_bytes(std::span(*memory))}};
  state.memory = memory;
  return state;
}

class VocoderFolder : public testing::Test {
 protected:
  std::filesystem::path write(uint64_t updates) const {
    RunProgress progress;
    progress.updates = updates;
    return write_vocoder_checkpoint(runs_.path(), small_vocoder(), progress, some_state());
  }

  TemporaryFolder runs_;
};

TEST_F(VocoderFolder, ComesBackAsItWas) {
  write(7);
  const auto found = VocoderCheckpoint::open(runs_.path());
  EXPECT_EQ(found.folder().filename(), "step-00000007");
  EXPECT_EQ(found.vocoder(), small_vocoder());
  EXPECT_EQ(found.progress().updates, 7u);
  EXPECT_TRUE(model::is_vocos(found.average().metadata()));
  EXPECT_EQ(model::read_vocos_metadata(found.average().metadata()), small_vocoder().network);
  EXPECT_NE(found.training().find("generator.weights.w"), nullptr);
}

TEST_F(VocoderFolder, MayBeNamedByFileCheckpointOrRun) {
  const auto first = write(7);
  const auto last = write(9);
  EXPECT_EQ(vocoder_weights(first / "model.safetensors"), first / "model.safetensors");
  EXPECT_EQ(vocoder_weights(first), first / "model.safetensors");
  EXPECT_EQ(vocoder_weights(runs_.path()), last / "model.safetensors");
  point_best_at(runs_.path(), first.filename().string());
  EXPECT_EQ(vocoder_weights(runs_.path()), first / "model.safetensors");
  const TemporaryFolder empty;
  EXPECT_THAT(error_message([&] { vocoder_weights(empty.path()); }), HasSubstr("neither"));
}

TEST_F(VocoderFolder, ThatIsDamagedIsRefused) {
  const auto folder = write(7);
  std::ofstream(folder / "training.safetensors", std::ios::app) << "x";
  EXPECT_THAT(error_message([&] { VocoderCheckpoint::open(folder); }),
              AllOf(HasSubstr("training.safetensors"), HasSubstr("damaged")));
}

TEST_F(VocoderFolder, IsNoVoice) {
  const auto folder = write(7);
  EXPECT_THAT(error_message([&] { Checkpoint::open(folder); }),
              AllOf(HasSubstr("expected a voice, found a vocoder"), HasSubstr("--vocoder")));
}

TEST(VocoderText, ThatIsNoneIsRefusedByName) {
  const std::string text = to_text(
      {.common = {.version = "1", .progress = {}, .hashes = {.average = "a", .training = "b"}},
       .vocoder = small_vocoder()});
  EXPECT_EQ(to_text(parse_vocoder_checkpoint(text, "here")), text);
  const auto refused = [&](const auto& change) {
    Json content = parse_json(text, "here");
    change(content);
    return error_message([&] { parse_vocoder_checkpoint(to_json_text(content), "here"); });
  };
  EXPECT_THAT(refused([](Json& c) { c["format"] = 99; }), HasSubstr("format"));
  EXPECT_THAT(refused([](Json& c) { c.erase("vocoder"); }),
              AllOf(HasSubstr("here"), HasSubstr("vocoder")));
  EXPECT_THAT(refused([](Json& c) { c["vocoder"]["network"]["width"] = -1; }), HasSubstr("width"));
  EXPECT_THAT(refused([](Json& c) { c["voice"] = Json::object(); }), HasSubstr("found a voice"));
  EXPECT_THAT(error_message([] { parse_vocoder_checkpoint("[]", "here"); }), HasSubstr("here"));
}

TEST(VocoderDifferences, NameEachValue) {
  VocoderDescription other = small_vocoder();
  EXPECT_THAT(differences(other, small_vocoder()), IsEmpty());
  other.network.width = 96;
  other.network.mel.fmax = 7000;
  other.discriminators.periods = {2};
  EXPECT_THAT(
      differences(small_vocoder(), other),
      testing::ElementsAre("network.width: 128 in the checkpoint, 96 now",
                           "network.mel.fmax: 8000.0 in the checkpoint, 7000.0 now",
                           "discriminators.periods: [2,3,5,7,11] in the checkpoint, [2] now"));
}

}  // namespace
}  // namespace seda::train
