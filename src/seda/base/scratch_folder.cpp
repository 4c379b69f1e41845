// SPDX-License-Identifier: Apache-2.0
#include "seda/base/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "seda/base/error.h"

namespace seda {

ScratchFolder::ScratchFolder() {
  std::error_code none;
  std::string pattern = (std::filesystem::temp_directory_path(none) / "seda-XXXXXX").string();
  if (none || mkdtemp(pattern.data()) == nullptr) {
    throw_error(ErrorKind::io, "{}: no temporary folder could be made: {}; set TMPDIR", pattern,
                none ? none.message() : std::strerror(errno));
  }
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

}  // namespace seda
