// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda {

/// From now on a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) writes its name and the calls
/// that led to it to stderr, then ends the process by that signal as it would have. Signals that
/// somebody handles already, such as a sanitizer, are left alone.
void report_crashes() noexcept;

}  // namespace seda
