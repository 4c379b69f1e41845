// SPDX-License-Identifier: Apache-2.0
// Wall time of whole commands, from spawn to exit, beside an empty program and an empty Python.
//
//   start_bench [RUNS]     prints one JSON object
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/support/report_row.h"
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/json.h"
#include "seda/base/program.h"

namespace seda {
namespace {

using Command = std::vector<std::string>;

/// Runs `command` with its output thrown away and returns milliseconds.
double run_once(const Command& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const Stopwatch watch;
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw_errno("cannot run", command[0], failed);
  int status = 0;
  waitpid(child, &status, 0);
  const double ms = watch.seconds() * 1e3;
  if (status != 0) throw_error(ErrorKind::check_failed, "{} ended with {}", command[0], status);
  return ms;
}

Json measure(const std::string& name, const Command& command, int runs) {
  run_once(command);
  Distribution ms;
  for (int i = 0; i < runs; ++i)
    ms.add(run_once(command));
  return bench::make_row(name, "ms", ms);
}

void run(int runs) {
  const std::string seda = (program_root() / "bin/seda").string();
  Json rows = Json::array();
  rows.push_back(measure("start/true", {"true"}, runs));
  rows.push_back(measure("start/seda_version", {seda, "--version"}, runs));
  rows.push_back(measure("start/seda_config_show", {seda, "config", "show"}, runs));
  rows.push_back(measure("start/python_empty", {"python3", "-c", "pass"}, runs));
  fmt::print("{}\n", to_json_text({{"rows", rows}}));
}

}  // namespace
}  // namespace seda

int main(int argc, char** argv) {
  try {
    seda::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 200);
    return 0;
  } catch (const seda::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return seda::exit_code(error.kind());
  }
}
