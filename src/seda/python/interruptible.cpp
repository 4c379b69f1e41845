// SPDX-License-Identifier: Apache-2.0
#include "seda/python/interruptible.h"

#include <chrono>
#include <future>
#include <optional>

#include <nanobind/nanobind.h>

#include "seda/base/interrupt.h"
#include "seda/base/thread.h"

namespace seda::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

/// Waits for `done`; what a signal raised meanwhile, if one did.
std::optional<nanobind::python_error> watch(const std::future<void>& done) {
  std::optional<nanobind::python_error> raised;
  std::optional<StopRequest> stop;
  const nanobind::gil_scoped_release unlocked;
  while (done.wait_for(kBetweenLooks) != std::future_status::ready) {
    if (raised) continue;
    const nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) continue;
    raised.emplace();
    stop.emplace();
  }
  return raised;
}

}  // namespace

void check_signals() {
  const nanobind::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

void run_interruptibly(const std::function<void()>& work) {
  std::future<void> done = std::async(std::launch::async, [&] {
    set_thread_name("python work");
    work();
  });
  if (auto raised = watch(done)) {
    done.wait();
    throw std::move(*raised);
  }
  done.get();
}

}  // namespace seda::python
