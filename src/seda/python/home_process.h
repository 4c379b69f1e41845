// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include "seda/base/error.h"

namespace seda::python {

/// The process that something was made in. One that was forked from it has none of its threads, and
/// maybe their locks: waiting for either there is forever.
class HomeProcess {
 public:
  bool is_here() const noexcept { return getpid() == process_; }

  /// Error(usage) in any other process.
  void require() const {
    if (is_here()) return;
    throw_error(
        ErrorKind::usage,
        "this loader was made in process {} and is used in process {}, which was forked from it "
        "and has none of its threads; make the loader in the process that uses it (it needs no "
        "worker processes: its threads hold no interpreter lock)",
        process_, getpid());
  }

 private:
  pid_t process_ = getpid();
};

}  // namespace seda::python
