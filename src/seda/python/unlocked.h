// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <sys/types.h>

namespace seda::python {

/// The interpreter lock let go for a scope of a call. Made with the lock; ends with it.
///
/// Where the interpreter ends, it waits for the scopes of other threads (`end_calls`): none of them
/// asks for the lock of an interpreter that is gone. A new one waits for the end of the process.
class Unlocked {
 public:
  Unlocked() = default;
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  struct Counted {
    Counted();
    ~Counted();
    pid_t process;
  };

  Counted counted_;
  nanobind::gil_scoped_release released_;
};

/// Whether the interpreter ends; never for the thread that ends it. What waits then stops waiting.
bool python_ends() noexcept;

/// Says that the interpreter ends, and waits until no other thread is in a scope without its lock.
/// Called with the lock.
void end_calls();

/// Waits for the end of the process, as Python has threads do that come back to an interpreter
/// which is gone. Called with the lock.
[[noreturn]] void park();

}  // namespace seda::python
