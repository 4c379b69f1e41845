// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/snapshot.h"

#include "seda/base/error.h"

namespace seda::cache::detail {
namespace {

namespace fs = std::filesystem;

Snapshot open_parts(const fs::path& folder, Manifest manifest, const ReadOptions& options) {
  Snapshot snapshot{.manifest = std::move(manifest), .tables = {}, .faults = {}};
  for (const TableEntry& table : snapshot.manifest.tables) {
    Snapshot::Parts& parts = snapshot.tables.emplace_back();
    for (const PartRecord& record : table.parts) {
      auto part = PartReader::open(folder, table, record, options);
      if (part) {
        parts.push_back(std::move(part).value());
      } else {
        snapshot.faults.push_back(part.fault());
      }
    }
  }
  return snapshot;
}

}  // namespace

std::optional<Snapshot> open_snapshot(const fs::path& folder, const ReadOptions& options) {
  auto manifest = read_manifest(folder);
  while (manifest) {
    Snapshot snapshot = open_parts(folder, *std::move(manifest), options);
    if (snapshot.faults.empty()) return snapshot;
    manifest = read_manifest(folder);
    if (manifest == snapshot.manifest) return snapshot;
  }
  return std::nullopt;
}

void throw_part_fault(const fs::path& folder, const Fault& fault) {
  const std::string path = (folder / fault.id).native();
  if (fault.code == "part_newer") {
    throw_error(ErrorKind::io,
                "{} was written by a newer seda ({}); use that version, or another folder with "
                "--cache-dir",
                path, fault.evidence);
  }
  throw_error(ErrorKind::io,
              "{} cannot be used: {}; 'seda cache verify' lists all damage, 'seda cache gc' drops "
              "the part so that its records are prepared again",
              path, fault.evidence);
}

}  // namespace seda::cache::detail
