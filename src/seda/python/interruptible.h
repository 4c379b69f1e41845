// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace seda::python {

/// Lets Python's signal handlers run; throws what they raise (KeyboardInterrupt). Takes the
/// interpreter lock for it. In other threads than Python's main one there are none. Once the
/// interpreter ends: Error(interrupted).
void check_signals();

/// Runs `work` in another thread, without the interpreter lock, and looks for signals meanwhile:
/// one whose handler raises asks `work`, and no other, to stop (`StopScope`), and is thrown when it
/// has. So does the end of the interpreter. Called with the lock; throws what `work` throws.
void run_interruptibly(const std::function<void()>& work);

}  // namespace seda::python
