// SPDX-License-Identifier: Apache-2.0
// What the tests of hostile surroundings share: a corpus, and ways to run the program in it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/audio/wav_writer.h"
#include "tests/support/run_program.h"

namespace seda::cli::testing_support {

using seda::testing_support::ProgramResult;
using seda::testing_support::quoted;
using seda::testing_support::run_shell;

inline std::string program() {
  return quoted((program_root() / "bin/seda").string());
}

/// One second of a tone, another for each number.
inline std::string tone(int number) {
  std::vector<int16_t> samples(22050);
  for (size_t t = 0; t < samples.size(); ++t) {
    const double phase = (0.05 + 0.01 * number) * static_cast<double>(t);
    samples[t] = static_cast<int16_t>(std::lrint(5000 * std::sin(phase)));
  }
  return audio::wav_bytes(samples, 22050);
}

/// Clips that a very small model can be trained on in a second: corpus/, and voice.yaml, which
/// asks for letters as tokens so that no library is copied into memory.
inline void write_place(const std::filesystem::path& folder, int clips) {
  std::filesystem::create_directories(folder / "corpus/wavs");
  std::string metadata;
  for (int i = 0; i < clips; ++i) {
    metadata += "c" + std::to_string(i) + "|Clip " + std::to_string(i) + ".\n";
    std::ofstream(folder / "corpus/wavs" / ("c" + std::to_string(i) + ".wav"), std::ios::binary)
        << tone(i);
  }
  std::ofstream(folder / "corpus/metadata.csv") << metadata;
  std::ofstream(folder / "voice.yaml") << R"(data:
  batch_size: 2
  num_workers: 1
  text: {phonemes: false, language: en}
model: {size: tiny, hidden_size: 16, feed_forward_size: 16, encoder_layers: 1, decoder_layers: 1, heads: 1}
training: {max_steps: 4, checkpoint_every: 2, log_every: 1, epochs: 1000, lr: 0.00025}
)";
}

/// Whether the program finds torch when it is called with `prefix` before it.
inline bool finds_torch(const std::string& prefix, const std::filesystem::path& folder) {
  const auto result = run_shell(prefix + program() + " --version --json", folder);
  const Json version = Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  return version.is_object() && version["torch"]["found"].get<bool>();
}

/// What is put before a command so that permissions count: another user where this one is root,
/// who may do everything. Empty where that is not needed.
inline std::string without_privileges() {
  return geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
}

/// Whether the program can be run with `prefix` before it, and can open what stands beside it: a
/// clone in a folder of root's alone is no place for others.
inline bool can_run(const std::string& prefix, const std::filesystem::path& folder) {
  const auto reads = run_shell(prefix + "test -r " + program(), folder);
  return reads.exit_code == 0 &&
         run_shell(prefix + program() + " --version", folder).exit_code == 0;
}

}  // namespace seda::cli::testing_support
