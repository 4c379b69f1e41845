// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/disk.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace seda::diagnose {
namespace {

using testing_support::TemporaryFolder;

TEST(Disk, IsToldByItsNameAndItsQueue) {
  const TemporaryFolder sys;
  sys.write("nvme0n1/queue/rotational", "0\n");
  sys.write("sda/queue/rotational", "1\n");
  sys.write("sdb/queue/rotational", "0\n");
  sys.write("vda/queue/rotational", "1\n");
  sys.write("sdc/size", "5\n");
  EXPECT_EQ(kind_of_device(sys / "nvme0n1"), "NVMe SSD");
  EXPECT_EQ(kind_of_device(sys / "sda"), "hard disk");
  EXPECT_EQ(kind_of_device(sys / "sdb"), "SSD");
  EXPECT_EQ(kind_of_device(sys / "vda"), "virtual disk") << "whose queue says nothing of the real";
  EXPECT_EQ(kind_of_device(sys / "sdc"), "unknown");
}

TEST(Disk, OfAPathThatIsNotThereIsUnknown) {
  const Disk disk = disk_of("/nowhere/at/all");
  EXPECT_EQ(disk.kind, "unknown");
  EXPECT_EQ(disk.device, "");
}

TEST(Disk, WithoutAnEntryInSysKeepsTheFileSystem) {
  const TemporaryFolder folder;
  EXPECT_EQ(disk_of(folder.path(), folder.path()).device, "");
}

}  // namespace
}  // namespace seda::diagnose
