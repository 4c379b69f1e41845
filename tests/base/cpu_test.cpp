// SPDX-License-Identifier: Apache-2.0
#include "seda/base/cpu.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"

namespace seda {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

TEST(Cpu, ModelNameIsTheFirstOne) {
  EXPECT_EQ(cpu_model_name("processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9654 \n"
                           "\nprocessor\t: 1\nmodel name\t: other\n"),
            "AMD EPYC 9654");
}

TEST(Cpu, ArmIsNamedByItsNumbers) {
  EXPECT_EQ(cpu_model_name("processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c"),
            "ARM implementer 0x41 part 0xd0c");
}

TEST(Cpu, NothingKnownIsSaid) {
  EXPECT_EQ(cpu_model_name(""), "unknown");
  EXPECT_EQ(cpu_model_name("no colon here\n:\nmodel name\t:\n"), "unknown");
}

TEST(Cpu, SimdLevelIsAmongTheFlagsTheKernelReports) {
  const CpuInfo info = cpu_info();
  EXPECT_THAT(info.simd, AnyOf("avx512", "avx2", "sse4", "sse2", "sve", "neon", "none"));
  const std::string flags = testing_support::read_file("/proc/cpuinfo");
  const std::map<std::string, std::string> proof = {
      {"avx512", "avx512f"}, {"avx2", "avx2"}, {"sse4", "sse4_2"}};
  if (const auto flag = proof.find(info.simd); flag != proof.end()) {
    EXPECT_THAT(flags, HasSubstr(flag->second));
  }
}

TEST(Cpu, Bf16ProductsAreAmongTheFlagsTheKernelReports) {
  const std::string flags = testing_support::read_file("/proc/cpuinfo");
  const bool reported = flags.find(" avx512_bf16") != std::string::npos;
  EXPECT_EQ(cpu_info().bf16, reported);
}

TEST(Cpu, MemoryAgreesWithTheKernel) {
  const CpuInfo info = cpu_info();
  EXPECT_EQ(info.page_bytes, static_cast<uint64_t>(getpagesize()));
  const std::string meminfo = testing_support::read_file("/proc/meminfo");
  ASSERT_EQ(meminfo.rfind("MemTotal:", 0), 0u);
  const uint64_t total = std::stoull(meminfo.substr(9)) * 1024;
  EXPECT_NEAR(static_cast<double>(info.memory_bytes), static_cast<double>(total), 0.01 * total);
}

}  // namespace
}  // namespace seda
