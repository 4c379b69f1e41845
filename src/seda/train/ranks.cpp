// SPDX-License-Identifier: Apache-2.0
#include "seda/train/ranks.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "seda/base/error.h"

namespace seda::train {
namespace {

using Environment = std::function<std::optional<std::string>(const char*)>;

constexpr int kMany = 1'000'000;

std::optional<std::string> of_this_process(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any here
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string need(const Environment& environment, const char* name) {
  if (auto value = environment(name)) return *value;
  throw_error(ErrorKind::usage,
              "{}: expected in the environment beside the other variables of a launcher, found "
              "nothing: start with torchrun --no-python, or without any of them",
              name);
}

int number(const Environment& environment, const char* name, int least, int most) {
  const std::string text = need(environment, name);
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > most) {
    throw_error(ErrorKind::usage, "{}: expected a number from {} to {}, found '{}'", name, least,
                most, text);
  }
  return value;
}

}  // namespace

Ranks read_ranks(const Environment& environment) {
  if (!environment("RANK") && !environment("WORLD_SIZE")) return {};
  Ranks ranks;
  ranks.count = number(environment, "WORLD_SIZE", 1, kMany);
  ranks.rank = number(environment, "RANK", 0, ranks.count - 1);
  if (ranks.alone()) return ranks;
  ranks.local_count = number(environment, "LOCAL_WORLD_SIZE", 1, ranks.count);
  ranks.local_rank = number(environment, "LOCAL_RANK", 0, ranks.local_count - 1);
  ranks.address = need(environment, "MASTER_ADDR");
  ranks.port = number(environment, "MASTER_PORT", 1, 65535);
  return ranks;
}

Ranks read_ranks() {
  return read_ranks(of_this_process);
}

bool is_restart(const Environment& environment) {
  constexpr const char* kCount = "TORCHELASTIC_RESTART_COUNT";
  return environment(kCount) && number(environment, kCount, 0, kMany) > 0;
}

bool is_restart() {
  return is_restart(of_this_process);
}

}  // namespace seda::train
