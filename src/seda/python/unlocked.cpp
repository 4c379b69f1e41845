// SPDX-License-Identifier: Apache-2.0
#include "seda/python/unlocked.h"

#include <atomic>
#include <thread>
#include <utility>

#include <unistd.h>

namespace seda::python {
namespace {

// Of one process: a fork has none of the threads that the others came from. Whoever changes the two
// has the interpreter lock.
pid_t counting_process = 0;
std::atomic<int> calls{0};

std::atomic<bool> ends{false};
std::thread::id ender;  // written before `ends`

}  // namespace

Unlocked::Counted::Counted() : process(getpid()) {
  if (python_ends()) park();
  if (std::exchange(counting_process, process) != process) calls = 0;
  ++calls;
}

Unlocked::Counted::~Counted() {
  if (getpid() != process) return;
  --calls;
  calls.notify_all();
}

bool python_ends() noexcept {
  return ends && std::this_thread::get_id() != ender;
}

void end_calls() {
  ender = std::this_thread::get_id();
  ends = true;
  if (counting_process != getpid()) return;
  const nanobind::gil_scoped_release released;
  for (int left = calls; left > 0; left = calls)
    calls.wait(left);
}

void park() {
  PyEval_SaveThread();
  for (;;)
    pause();
}

}  // namespace seda::python
