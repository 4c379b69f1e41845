// SPDX-License-Identifier: Apache-2.0
#include "seda/python/interruptible.h"

#include <chrono>
#include <future>
#include <optional>
#include <stop_token>
#include <utility>

#include <nanobind/nanobind.h>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/thread.h"
#include "seda/python/unlocked.h"

namespace seda::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

/// Waits for `done`, and asks it to `stop` once a signal has raised: what that was.
std::optional<nanobind::python_error> watch(const std::future<void>& done, std::stop_source& stop) {
  std::optional<nanobind::python_error> raised;
  const Unlocked unlocked;
  while (done.wait_for(kBetweenLooks) != std::future_status::ready) {
    if (python_ends()) stop.request_stop();
    if (stop.stop_requested()) continue;
    const nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) continue;
    raised.emplace();
    stop.request_stop();
  }
  return raised;
}

}  // namespace

void check_signals() {
  if (python_ends()) throw_error(ErrorKind::interrupted, "stopped by the end of Python");
  const nanobind::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

void run_interruptibly(const std::function<void()>& work) {
  std::stop_source stop;
  std::future<void> done = std::async(std::launch::async, [&] {
    set_thread_name("python work");
    const StopScope heeded(stop.get_token());
    work();
  });
  if (auto raised = watch(done, stop)) {
    done.wait();
    throw std::move(*raised);
  }
  done.get();
}

}  // namespace seda::python
