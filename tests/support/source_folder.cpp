// SPDX-License-Identifier: Apache-2.0
#include "tests/support/source_folder.h"

#include <cstdlib>

namespace seda::testing_support {

std::filesystem::path source_folder() {
  const char* moved = std::getenv("SEDA_SOURCE_FOLDER");
  return moved != nullptr ? moved : SEDA_SOURCE_FOLDER;
}

}  // namespace seda::testing_support
