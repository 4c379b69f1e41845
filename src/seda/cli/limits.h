// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace seda::cli {

constexpr int64_t kMostSeed = 4294967295;  // as of training.seed

// What the value of a flag may be: its help shows that as the value's name ("1..1000",
// "voice|vocoder"), and any other value is a usage error that says what was expected and found.

CLI::Option* integer(CLI::Option* flag, int64_t least, int64_t most);
CLI::Option* number(CLI::Option* flag, double least, double most);
CLI::Option* one_of(CLI::Option* flag, const std::vector<std::string>& words);

}  // namespace seda::cli
