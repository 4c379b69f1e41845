// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda {

/// The folder above the one this program lies in: `<root>` of `<root>/bin/seda`. What
/// belongs to the program is found from here, so that the whole can be moved.
std::filesystem::path program_root();

}  // namespace seda
