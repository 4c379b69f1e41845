// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda {

/// Puts something in the place of stdin, stdout and stderr where they are closed, so that no file
/// that is opened later gets their number and, with it, what is printed. Reading from or writing
/// to what was closed still fails (EBADF). To be called before anything else is opened.
void hold_standard_streams() noexcept;

}  // namespace seda
