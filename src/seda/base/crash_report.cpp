// SPDX-License-Identifier: Apache-2.0
#include "seda/base/crash_report.h"

#include <array>
#include <csignal>
#include <cstring>

#include <execinfo.h>
#include <unistd.h>

namespace seda {
namespace {

constexpr int kMostCalls = 64;
constexpr size_t kStackBytes = size_t{64} << 10;

void say(const char* text) noexcept {
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
}

const char* name_of(int number) noexcept {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV, memory that is not there";
    case SIGBUS:
      return "SIGBUS, a mapped file that shrank, or memory that failed";
    case SIGILL:
      return "SIGILL, an instruction that this processor does not have";
    case SIGFPE:
      return "SIGFPE, a division by zero";
    default:
      return "SIGABRT";
  }
}

/// Nothing here allocates: backtrace has loaded what it needs before.
extern "C" void report_crash(int number) {
  say("\nseda crashed (");
  say(name_of(number));
  say("). This is a bug of seda or of a library: please report it with the command and these "
      "lines:\n");
  std::array<void*, kMostCalls> calls{};
  const int count = backtrace(calls.data(), kMostCalls);
  backtrace_symbols_fd(calls.data(), count, STDERR_FILENO);
  raise(number);  // SA_RESETHAND: this time as if nobody handled it
}

/// Where the stack overflowed, a handler needs another.
void give_stack() noexcept {
  static std::array<char, kStackBytes> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, nullptr);
}

void install(int number) noexcept {
  struct sigaction old{};
  if (sigaction(number, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) return;
  struct sigaction action{};
  action.sa_handler = report_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

void report_crashes() noexcept {
  void* first = nullptr;
  backtrace(&first, 1);
  give_stack();
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    install(number);
}

}  // namespace seda
