// SPDX-License-Identifier: Apache-2.0
#include "seda/train/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/build_info.h"
#include "seda/base/error.h"
#include "seda/train/load_library.h"
#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class TrainerLibrary : public testing::Test {
 protected:
  void SetUp() override {
    const auto found = find_torch(TorchSearch::of_this_process());
    if (const auto* missing = std::get_if<TorchMissing>(&found)) GTEST_SKIP() << missing->reason;
  }
};

TEST_F(TrainerLibrary, LoadsTheTorchItWasBuiltFor) {
  const TorchInfo info = load_library().torch_info();
  EXPECT_TRUE(same_release(info.version, std::string(build_info().torch))) << info.version;
  EXPECT_GE(info.threads, 1);
}

TEST_F(TrainerLibrary, GradientsAreRightOnEveryDevice) {
  const Library& library = load_library();
  EXPECT_LT(library.gradient_error("cpu"), 1e-5);
  const int gpus = library.torch_info().cuda_devices;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    EXPECT_LT(library.gradient_error("cuda:" + std::to_string(gpu)), 1e-5) << "cuda:" << gpu;
  }
  if (gpus == 0) std::cout << "no GPU for torch here: the CPU alone was checked\n";
}

TEST(LoadLibrary, FolderWithoutLibrariesIsAClearError) {
  const testing_support::TemporaryFolder empty;
  try {
    load_library({.folder = empty.path(), .version = "2.11.0", .found_by = "test"});
    FAIL() << "loaded from an empty folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_THAT(error.what(), StartsWith("cannot load " + empty.path().string()));
    EXPECT_THAT(error.what(), HasSubstr("libc10.so"));
  }
}

}  // namespace
}  // namespace seda::train
