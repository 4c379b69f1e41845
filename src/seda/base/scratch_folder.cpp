// SPDX-License-Identifier: Apache-2.0
#include "seda/base/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "seda/base/error.h"

namespace seda {

namespace {

/// What TMPDIR names, or /tmp, whether or not it is there.
std::filesystem::path temporary_files() {
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets any here
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  }
  return "/tmp";
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string pattern = (temporary_files() / "seda-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw_error(ErrorKind::io, "{}: no temporary folder could be made: {}; set TMPDIR", pattern,
                std::strerror(errno));
  }
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

}  // namespace seda
