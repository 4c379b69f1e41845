// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/disk.h"

#include <fstream>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

namespace seda::diagnose {
namespace {

namespace fs = std::filesystem;

struct KnownSystem {
  long magic;
  const char* name;
  const char* kind;  // where the file system alone tells it
};

constexpr KnownSystem kSystems[] = {
    {0xEF53, "ext4", ""},
    {0x58465342, "xfs", ""},
    {0x9123683E, "btrfs", ""},
    {0x01021994, "tmpfs", "memory"},
    {0x858458F6, "ramfs", "memory"},
    {0x6969, "nfs", "network"},
    {0xFF534D42, "cifs", "network"},
    {0x65735546, "fuse", ""},
    {0x794C7630, "overlay", ""},
    {0x2FC12FC1, "zfs", ""},
    {0x0BD00BD0, "lustre", "network"},
};

const KnownSystem* system_of(const fs::path& path) {
  struct statfs info{};
  if (statfs(path.c_str(), &info) != 0) return nullptr;
  for (const KnownSystem& known : kSystems) {
    if (static_cast<unsigned>(info.f_type) == static_cast<unsigned>(known.magic)) return &known;
  }
  return nullptr;
}

/// The whole disk's folder of a partition's.
fs::path whole_disk(const fs::path& folder) {
  std::error_code none;
  return fs::exists(folder / "partition", none) ? folder.parent_path() : folder;
}

}  // namespace

std::string kind_of_device(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (name.starts_with("nvme")) return "NVMe SSD";
  if (name.starts_with("vd") || name.starts_with("xvd")) return "virtual disk";
  if (name.starts_with("loop") || name.starts_with("ram")) return "memory or file";
  std::ifstream file(folder / "queue/rotational");
  int rotational = -1;
  if (!(file >> rotational)) return "unknown";
  return rotational == 1 ? "hard disk" : "SSD";
}

Disk disk_of(const fs::path& path, const fs::path& sys) {
  Disk out{.kind = "unknown", .device = {}, .file_system = {}};
  if (const KnownSystem* known = system_of(path)) {
    out.file_system = known->name;
    if (*known->kind != '\0') out.kind = known->kind;
  }
  struct stat info{};
  if (stat(path.c_str(), &info) != 0 || major(info.st_dev) == 0) return out;
  std::error_code none;
  const fs::path link =
      sys / "dev/block" / fmt::format("{}:{}", major(info.st_dev), minor(info.st_dev));
  const fs::path folder = fs::canonical(link, none);
  if (none) return out;
  const fs::path disk = whole_disk(folder);
  out.device = disk.filename().string();
  out.kind = kind_of_device(disk);
  return out;
}

}  // namespace seda::diagnose
