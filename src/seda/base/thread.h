// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda {

/// Names the calling thread, in the log, in traces and for the system (which keeps the first 15
/// bytes).
void set_thread_name(std::string_view name);

/// The name given, or "main" for the first thread, or "thread-<id>".
const std::string& thread_name();

/// Cores this process may use: its affinity mask, cut by a container's CPU quota where one is set.
/// At least 1.
int usable_cores();

}  // namespace seda
