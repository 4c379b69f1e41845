// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/writable_place.h"

#include <system_error>

#include <unistd.h>

namespace seda::diagnose {

namespace fs = std::filesystem;

fs::path existing_part(const fs::path& path) {
  std::error_code none;
  fs::path part = fs::absolute(path, none);
  while (!fs::exists(part, none) && part.has_relative_path())
    part = part.parent_path();
  return part;
}

bool is_writable(const fs::path& folder) {
  std::error_code none;
  const fs::path part = existing_part(folder);
  return fs::is_directory(part, none) && access(part.c_str(), W_OK | X_OK) == 0;
}

}  // namespace seda::diagnose
