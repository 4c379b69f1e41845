// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <sys/wait.h>

#include "seda/base/program.h"
#include "tests/support/temporary_folder.h"

namespace seda::testing_support {

struct ProgramResult {
  int exit_code = 0;  ///< 128 + signal where one ended it.
  std::string out;
  std::string err;
};

/// For the shell, whatever is in it.
inline std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Runs `command` by the shell, in `folder`, and keeps what it printed.
inline ProgramResult run_shell(const std::string& command, const std::filesystem::path& folder) {
  const TemporaryFolder kept;
  const std::string line = "cd " + quoted(folder.string()) + " && { " + command + "\n} 2>" +
                           quoted((kept / "err").string());
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  ProgramResult result;
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.out.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.err = read_file(kept / "err");
  return result;
}

/// Runs `bin/seda` of this build with `arguments`.
inline ProgramResult run_seda(const std::string& arguments, const std::filesystem::path& folder) {
  return run_shell(quoted((program_root() / "bin/seda").string()) + " " + arguments, folder);
}

/// The same in an empty folder.
inline ProgramResult run_seda(const std::string& arguments) {
  const TemporaryFolder empty;
  return run_seda(arguments, empty.path());
}

}  // namespace seda::testing_support
