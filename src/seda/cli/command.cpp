// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/command.h"

#include <cerrno>
#include <csignal>
#include <system_error>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/log.h"
#include "seda/cli/output.h"

namespace seda::cli {
namespace {

[[noreturn]] void refuse(const std::string& name, int code) {
  log::error("cannot run '{}': {}", name,
             code == ENOENT ? "not found; give the program's path, or see to PATH"
                            : std::generic_category().message(code));
  throw ExitWith{code == ENOENT ? kCommandNotFound : kCommandNotRunnable};
}

}  // namespace

Command::Command(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int code = words.front().empty()
                       ? ENOENT
                       : posix_spawnp(&process_id_, words.front().c_str(), nullptr, nullptr,
                                      arguments.data(), environ);
  if (code != 0) refuse(words.front(), code);
}

std::optional<int> Command::poll() {
  if (code_) return code_;
  int status = 0;
  if (waitpid(process_id_, &status, WNOHANG) != process_id_) return std::nullopt;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code_;
}

void Command::send_signal(int number) const noexcept {
  if (!code_) kill(process_id_, number);
}

}  // namespace seda::cli
