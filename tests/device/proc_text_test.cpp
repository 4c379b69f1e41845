// SPDX-License-Identifier: Apache-2.0
#include "seda/device/proc_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace seda::device {
namespace {

using testing::IsEmpty;

std::string stat_of(std::string_view name) {
  return "4321 (" + std::string(name) +
         ") S 1 4321 4321 0 -1 4194560 1200 34 5 6 700 80 9 10 20 0 12 0 987654 1000000 2500 "
         "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 3 0 0 0 0 0\n";
}

TEST(ProcText, StatIsReadByPlace) {
  const auto stat = parse_process_stat(stat_of("seda"));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->parent_id, 1);
  EXPECT_EQ(stat->major_faults, 5u);
  EXPECT_EQ(stat->user_ticks, 700u);
  EXPECT_EQ(stat->system_ticks, 80u);
  EXPECT_EQ(stat->threads, 12u);
  EXPECT_EQ(stat->start_ticks, 987654u);
  EXPECT_EQ(stat->resident_pages, 2500u);
}

TEST(ReadText, WhatCannotBeReadIsEmpty) {
  EXPECT_THAT(read_text("/proc/self/mem"), IsEmpty()) << "opens, but its start cannot be read";
  EXPECT_THAT(read_text("/proc"), IsEmpty());
  EXPECT_THAT(read_text("/proc/none"), IsEmpty());
  EXPECT_THAT(read_text("/proc/self/stat"), testing::Not(IsEmpty()));
}

TEST(ProcText, CoreWaitIsTheSecondOfThree) {
  EXPECT_EQ(parse_core_wait_ns("12 345 6\n"), 345u);
  EXPECT_FALSE(parse_core_wait_ns("12 345"));
  EXPECT_FALSE(parse_core_wait_ns("12 -345 6"));
  EXPECT_FALSE(parse_core_wait_ns(""));
}

TEST(ProcText, StatSurvivesHostileNames) {
  for (const char* name : {"", ")", "(", "a b", "a) R 1 2 3", "((", "))", "x\ny", ") S 1 1 1 1"}) {
    const auto stat = parse_process_stat(stat_of(name));
    ASSERT_TRUE(stat) << name;
    EXPECT_EQ(stat->state, 'S') << name;
    EXPECT_EQ(stat->user_ticks, 700u) << name;
  }
}

TEST(ProcText, StatThatIsCutOrWrongIsRefused) {
  const std::string good = stat_of("seda");
  for (size_t length = 0; length < good.find("2500"); ++length)
    EXPECT_FALSE(parse_process_stat(good.substr(0, length))) << length;
  for (const char* text : {"(seda) S 1", "x (seda) S 1 2 3", ")1 (", "1 2 (seda) S",
                           "4321 (seda) SS 1 4321 4321 0 -1 4194560 1 3 5 6 7 8 9 1 2 0 1 0 9 1 2"})
    EXPECT_FALSE(parse_process_stat(text)) << text;
}

TEST(ProcText, IoIsReadByName) {
  const auto io = parse_process_io(
      "rchar: 5000\nwchar: 6\nsyscr: 70\nsyscw: 8\nread_bytes: 4096\nwrite_bytes: 512\n"
      "cancelled_write_bytes: 99\n");
  ASSERT_TRUE(io);
  EXPECT_EQ(io->read_bytes, 4096u);
  EXPECT_EQ(io->write_bytes, 512u) << "not cancelled_write_bytes";
  EXPECT_EQ(io->called_bytes, 5000u);
  EXPECT_FALSE(parse_process_io("")) << "another user's process gives an empty file";
  EXPECT_FALSE(parse_process_io("rchar: 1\nsyscr: 1\nread_bytes: many\nwrite_bytes: 1\n"));
}

TEST(ProcText, CpuTicksCountGuestTimeOnce) {
  const auto ticks =
      parse_cpu_ticks("cpu  100 10 50 800 40 5 4 1 90 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  ASSERT_TRUE(ticks);
  EXPECT_EQ(ticks->busy, 170u);
  EXPECT_EQ(ticks->idle, 800u);
  EXPECT_EQ(ticks->waiting_for_io, 40u);
  EXPECT_EQ(ticks->total(), 1010u);
  EXPECT_FALSE(parse_cpu_ticks("cpu0 1 2 3 4 5 6 7 8\n"));
  EXPECT_FALSE(parse_cpu_ticks("cpu 1 2 3\n"));
  EXPECT_FALSE(parse_cpu_ticks(""));
}

TEST(ProcText, MemoryInfoIsInBytes) {
  const auto memory =
      parse_memory_info("MemTotal:   1000 kB\nMemFree: 1 kB\nMemAvailable: 600 kB\n");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->total_bytes, 1000u * 1024);
  EXPECT_EQ(memory->available_bytes, 600u * 1024);
  EXPECT_FALSE(parse_memory_info("MemTotal: 1000 kB\n"));
}

TEST(ProcText, DiskLinesAreReadAndWrongOnesLeftOut) {
  const auto disks = parse_disk_counters(
      "   8       0 sda 100 1 2000 30 40 5 600 70 0 80 90 0 0 0 0 0 0\n"
      "   8       1 sda1 10 1 200\n"
      "garbage\n\n"
      " 259       0 nvme0n1 7 0 8 0 9 0 10 0 0 11 0\n");
  ASSERT_EQ(disks.size(), 2u);
  EXPECT_EQ(disks[0].name, "sda");
  EXPECT_EQ(disks[0].busy_ms, 80u);
  EXPECT_EQ(disks[1].name, "nvme0n1");
}

TEST(ProcText, ThisMachinesFilesAreUnderstood) {
  const auto stat = parse_process_stat(read_text("/proc/self/stat"));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->parent_id, getppid());
  EXPECT_GT(stat->resident_pages, 0u);
  EXPECT_TRUE(parse_cpu_ticks(read_text("/proc/stat")));
  EXPECT_TRUE(parse_memory_info(read_text("/proc/meminfo")));
  EXPECT_THAT(read_text("/proc/no/such/file"), IsEmpty());
}

}  // namespace
}  // namespace seda::device
