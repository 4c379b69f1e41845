// SPDX-License-Identifier: Apache-2.0
#include "seda/base/interrupt.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <utility>

#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/thread.h"

namespace seda {
namespace {

constexpr int kExitCode = 130;

// A signal belongs to the process, so what its handler touches has to as well. Lock-free atomics,
// clock_gettime(2) and write(2) are all that a handler may use.
std::atomic<bool> asked_to_stop{false};
std::atomic<int64_t> first_moment_ns{0};  // of the first signal; 0 before
std::atomic<int64_t> one_wish_ns{0};
std::atomic<int> first_signal{0};
std::atomic<bool> from_terminal{false};
std::atomic<int> wakeup_descriptor{-1};
std::atomic<int> handlers_running{0};
thread_local const std::stop_token* heeded = nullptr;  // of the innermost StopScope
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<int64_t>::is_always_lock_free);

void wake(int descriptor) noexcept {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = write(descriptor, &one, sizeof(one));
}

int64_t moment_ns() noexcept {
  constexpr int64_t kNsPerSecond = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec * kNsPerSecond) + now.tv_nsec;
}

/// Ends the process now: by the bare system call, so that nothing hung into _exit runs first, such
/// as a sanitizer's last report.
[[noreturn]] void end_process() noexcept {
  for (;;)
    syscall(SYS_exit_group, kExitCode);
}

extern "C" void handle_signal(int number, siginfo_t* info, void* /*context*/) {
  handlers_running.fetch_add(1);
  const int saved = errno;
  const int64_t now = moment_ns();
  int64_t first = 0;
  const bool again = !first_moment_ns.compare_exchange_strong(first, now);
  if (again && number == SIGINT && now - first >= one_wish_ns.load()) end_process();
  asked_to_stop.store(true);
  if (!again) {
    from_terminal.store(info != nullptr && info->si_code == SI_KERNEL);
    first_signal.store(number);
  }
  wake(wakeup_descriptor.load());
  errno = saved;
  handlers_running.fetch_sub(1);
}

void install(int number, struct sigaction& old) {
  struct sigaction action{};
  action.sa_sigaction = handle_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO;  // libraries rarely expect EINTR
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, &old);
}

FileDescriptor make_wakeups() {
  FileDescriptor made(eventfd(0, EFD_CLOEXEC));
  if (!made) throw_errno("cannot make", "an event for Ctrl-C", errno);
  int none = -1;
  if (!wakeup_descriptor.compare_exchange_strong(none, made.get()))
    throw_error(ErrorKind::internal, "a second InterruptHandler was made while one is there");
  return made;
}

}  // namespace

int interrupt_signal() noexcept {
  return first_signal.load(std::memory_order_relaxed);
}

bool interrupt_from_terminal() noexcept {
  return from_terminal.load(std::memory_order_relaxed);
}

bool interrupted() noexcept {
  return asked_to_stop.load(std::memory_order_relaxed) ||
         (heeded != nullptr && heeded->stop_requested());
}

void throw_if_interrupted() {
  if (interrupted()) throw_error(ErrorKind::interrupted, "stopped by Ctrl-C");
}

StopScope::StopScope(std::stop_token token) noexcept
    : token_(std::move(token)), outer_(std::exchange(heeded, &token_)) {}

StopScope::~StopScope() {
  heeded = outer_;
}

std::stop_token StopScope::current() noexcept {
  return heeded != nullptr ? *heeded : std::stop_token();
}

InterruptHandler::InterruptHandler(std::chrono::nanoseconds one_wish)
    : wakeups_(make_wakeups()), watcher_([this] { watch(); }) {
  one_wish_ns = one_wish.count();
  install(SIGINT, old_int_);
  install(SIGTERM, old_term_);
}

InterruptHandler::~InterruptHandler() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
  while (handlers_running.load() != 0)
    std::this_thread::yield();  // one on another thread may be about to write to the event
  wake(wakeups_.get());
  watcher_.join();
  wakeup_descriptor = -1;
  asked_to_stop = false;
  first_moment_ns = 0;
  first_signal = 0;
  from_terminal = false;
}

// Woken by a signal, or at the end without one.
void InterruptHandler::watch() {
  set_thread_name("interrupt");
  uint64_t count = 0;
  while (read(wakeups_.get(), &count, sizeof(count)) < 0 && errno == EINTR) {
  }
  if (interrupted()) source_.request_stop();
}

}  // namespace seda
