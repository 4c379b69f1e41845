// SPDX-License-Identifier: Apache-2.0
#include "seda/base/thread.h"

#include <array>
#include <thread>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace seda {
namespace {

std::string system_name() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

TEST(ThreadName, TheFirstThreadIsMain) {
  EXPECT_EQ(thread_name(), "main");
}

TEST(ThreadName, AnUnnamedThreadIsANumber) {
  std::jthread([] { EXPECT_EQ(thread_name(), "thread-" + std::to_string(gettid())); }).join();
}

TEST(ThreadName, IsTheThreadsOwn) {
  std::jthread([] {
    set_thread_name("worker-1");
    EXPECT_EQ(thread_name(), "worker-1");
    EXPECT_EQ(system_name(), "worker-1");
    set_thread_name("worker-2");
    EXPECT_EQ(thread_name(), "worker-2");
  }).join();
  EXPECT_EQ(thread_name(), "main");
}

TEST(ThreadName, TheSystemKeepsTheFirstFifteenBytes) {
  std::jthread([] {
    set_thread_name("a name that is far too long");
    EXPECT_EQ(thread_name(), "a name that is far too long");
    EXPECT_EQ(system_name(), "a name that is ");
  }).join();
}

TEST(UsableCores, LiesBetweenOneAndTheMachine) {
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), sysconf(_SC_NPROCESSORS_CONF));
}

TEST(UsableCores, FollowsTheAffinityMask) {
  std::jthread([] {  // the mask belongs to the thread
    cpu_set_t all;
    ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &all) == 0) continue;
      CPU_SET(cpu, &one);
      break;
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(usable_cores(), 1);
  })
      .join();
}

}  // namespace
}  // namespace seda
