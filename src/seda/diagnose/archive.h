// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace seda::diagnose {

/// A file of an archive.
struct ArchiveEntry {
  std::string name;  ///< "seda/report.txt"; at most 100 bytes.
  std::string content;
};

/// The entries as a tar archive (ustar), each with the same time and owner: the same entries give
/// the same bytes. A name that is too long is an Error(internal).
std::string tar_of(std::span<const ArchiveEntry> entries);

/// `bytes` as gzip has them.
std::string gzip_of(const std::string& bytes);

}  // namespace seda::diagnose
