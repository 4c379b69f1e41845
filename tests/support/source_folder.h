// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>

namespace seda::testing_support {

/// The project's root: where the tests were built, or SEDA_SOURCE_FOLDER of the environment for
/// tests that were carried to another machine.
inline std::filesystem::path source_folder() {
  const char* moved = std::getenv("SEDA_SOURCE_FOLDER");
  return moved != nullptr ? moved : SEDA_SOURCE_FOLDER;
}

}  // namespace seda::testing_support
