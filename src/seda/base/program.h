// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda {

/// The folder above the one that holds this code: `<root>` of `<root>/bin/seda`, of
/// `<root>/lib/libseda_train.so` and of the Python package's `<root>/native/_seda.so`. What belongs
/// to the program is found from here, so that the whole can be moved.
std::filesystem::path program_root();

}  // namespace seda
