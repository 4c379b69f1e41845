// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/clear.h"

#include <cerrno>

#include <unistd.h>

#include "seda/base/error.h"
#include "seda/cache/detail/file_names.h"
#include "seda/cache/detail/manifest.h"
#include "seda/cache/detail/recover.h"

namespace seda::cache {
namespace {

namespace fs = std::filesystem;

/// A MANIFEST.json may be anybody's: ours says so near its beginning, or lies among our parts.
bool has_our_manifest(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_regular_file(folder / detail::kManifestFile, error)) return false;
  try {
    return detail::claims_to_be_manifest(folder / detail::kManifestFile);
  } catch (const Error&) {
    return false;
  }
}

void remove_file(const fs::path& path, ClearReport& report) {
  std::error_code error;
  const uint64_t bytes = fs::file_size(path, error);
  if (unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return;
    throw_errno("cannot remove", path.native(), errno);
  }
  ++report.files;
  report.bytes += error ? 0 : bytes;
}

/// Killed after this, what is left is an empty cache. On a full disk it is one without a manifest.
void empty_manifest(const fs::path& folder) {
  try {
    detail::write_manifest(folder, {});
  } catch (const Error&) {
    unlink((folder / detail::kManifestFile).c_str());
  }
}

}  // namespace

bool holds_cache(const fs::path& folder) {
  return has_our_manifest(folder) || !detail::list_parts_and_temporaries(folder).empty();
}

ClearReport clear(const fs::path& folder) {
  if (!holds_cache(folder)) {
    throw_error(ErrorKind::usage, "{} holds no cache; nothing was removed", folder.native());
  }
  ClearReport report;
  const auto lock = detail::lock_folder(folder);
  const auto files = detail::list_parts_and_temporaries(folder);
  empty_manifest(folder);
  for (const std::string& file : files)
    remove_file(folder / file, report);
  remove_file(folder / detail::kManifestFile, report);
  remove_file(folder / detail::kLockFile, report);
  report.folder_removed = rmdir(folder.c_str()) == 0;
  return report;
}

}  // namespace seda::cache
