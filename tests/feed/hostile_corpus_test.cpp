// SPDX-License-Identifier: Apache-2.0
// A corpus of files that are no clips, with a few good ones between them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/feed/prepare.h"
#include "tests/feed/clips.h"
#include "tests/support/hostile_audio.h"

namespace seda::feed {
namespace {

using testing_support::HostileFile;
using testing_support::TemporaryFolder;

/// The code of each fault by the line of the manifest that its evidence names.
std::map<std::string, std::string> by_line(const std::vector<Fault>& faults) {
  std::map<std::string, std::string> out;
  for (const Fault& fault : faults)
    out[fault.evidence.substr(0, fault.evidence.find(": "))] = fault.code;
  return out;
}

TEST(HostileCorpus, EveryFileHasItsFaultAndTheGoodAreKept) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sounds");
  const auto hostile = testing_support::write_hostile_audio(folder / "sounds");
  std::string manifest;
  std::map<std::string, HostileFile> expected;
  size_t line = 0;
  const auto add = [&](const std::string& name) {
    const Json entry = {
        {"id", name}, {"audio_filepath", "sounds/" + name}, {"text", "What " + name + " says."}};
    manifest += to_json_text(entry, -1) + "\n";
    return "manifest.jsonl:" + std::to_string(++line);
  };
  for (const HostileFile& file : hostile)
    expected[add(file.name)] = file;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "good" + std::to_string(i) + ".wav";
    folder.write("sounds/" + name, audio::wav_bytes(Clips::tone(i, 4000), 22050));
    add(name);
  }
  folder.write("manifest.jsonl", manifest);
  PrepareOptions options;
  options.corpus = folder.path();
  options.text.frontend.phonemes = false;
  options.text.tokenizer = text::TokenizerKind::characters;
  for (const AudioKind kind : {AudioKind::mel, AudioKind::pcm16}) {
    options.audio.kind = kind;
    for (int run = 0; run < 2; ++run) {
      const auto report = prepare(options);
      auto found = by_line(report.faults);
      EXPECT_EQ(found.size(), hostile.size());
      for (const auto& [place, file] : expected)
        EXPECT_EQ(found[place], file.expected_code) << file.name;
      EXPECT_EQ(report.clips, 3u);
      EXPECT_TRUE(run == 0 || report.audio_built == 0) << "all that is bad is remembered";
    }
  }
}

}  // namespace
}  // namespace seda::feed
