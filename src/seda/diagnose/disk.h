// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace seda::diagnose {

/// Where a file lies.
struct Disk {
  std::string kind;         ///< "NVMe SSD", "SSD", "hard disk", "virtual disk", "memory", …
  std::string device;       ///< "nvme0n1"; empty where it is none.
  std::string file_system;  ///< "ext4", "tmpfs", "nfs"; empty where it is another.
};

/// The disk of a file or folder, as /sys describes it; `sys` is elsewhere in tests. A path that is
/// not there is of an unknown disk.
Disk disk_of(const std::filesystem::path& path, const std::filesystem::path& sys = "/sys");

/// What kind the block device at `folder` (/sys/block/nvme0n1) is, from its name and its queue.
std::string kind_of_device(const std::filesystem::path& folder);

}  // namespace seda::diagnose
