// SPDX-License-Identifier: Apache-2.0
// The contract of every memory resource, on every device.
#include "seda/device/memory_resource.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <thread>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/limit_resource.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "tests/device/world.h"
#include "tests/support/failing_resource.h"
#include "tests/support/statistics_resource.h"

namespace seda::device {
namespace {

using testing_support::FailingOptions;
using testing_support::FailingResource;
using testing_support::StatisticsResource;

constexpr size_t kMebibyte = 1 << 20;
constexpr size_t kCapacity = 16 * kMebibyte;  // of the stacks that have a limit

/// Resources on top of each other; the last made is the one under test and ends first.
class Stack {
 public:
  Stack() = default;
  Stack(Stack&&) = default;
  Stack& operator=(Stack&&) = delete;
  ~Stack() {
    while (!resources_.empty())
      resources_.pop_back();
  }

  template <typename Resource, typename... Arguments>
  Stack&& base(const World& world, Arguments... arguments) && {
    resources_.push_back(
        std::make_unique<Resource>(world.platform(), world.device(), arguments...));
    return std::move(*this);
  }
  template <typename Resource, typename... Arguments>
  Stack&& add(Arguments... arguments) && {
    resources_.push_back(std::make_unique<Resource>(top(), arguments...));
    return std::move(*this);
  }
  MemoryResource& top() const { return *resources_.back(); }

 private:
  std::vector<std::unique_ptr<MemoryResource>> resources_;
};

struct Recipe {
  const char* name;
  bool limited;  ///< Holds `kCapacity` at most, on any device.
  std::function<Stack(const World&)> make;
};

const LimitOptions kLimit{.limit_bytes = kCapacity, .role = "the test", .hint = "lower it"};
const FailingOptions kNeverFails{};

void PrintTo(const Recipe& recipe, std::ostream* out) {
  *out << recipe.name;
}

const Recipe kRecipes[] = {
    {"plain", false, [](const World& w) { return Stack().base<PlainResource>(w); }},
    {"pinned", false, [](const World& w) { return Stack().base<PinnedResource>(w); }},
    {"limit", true,
     [](const World& w) { return Stack().base<PlainResource>(w).add<LimitResource>(kLimit); }},
    {"statistics", false,
     [](const World& w) { return Stack().base<PlainResource>(w).add<StatisticsResource>(); }},
    {"failing", false,
     [](const World& w) {
       return Stack().base<PlainResource>(w).add<FailingResource>(kNeverFails);
     }},
    {"limit_of_pinned", true,
     [](const World& w) { return Stack().base<PinnedResource>(w).add<LimitResource>(kLimit); }},
    {"limit_of_statistics", true,
     [](const World& w) {
       return Stack().base<PlainResource>(w).add<StatisticsResource>().add<LimitResource>(kLimit);
     }},
};

class MemoryResourceContract : public testing::TestWithParam<std::tuple<Recipe, WorldKind>> {
 protected:
  void SetUp() override {
    SEDA_SKIP_UNLESS_PRESENT(world_);
    stack_.emplace(std::get<0>(GetParam()).make(world_));
    stream_.emplace(world_.platform(), world_.device());
  }
  void TearDown() override {
    stream_.reset();
    stack_.reset();
    if (world_.kind() != WorldKind::fake) return;
    EXPECT_THAT(world_.fake().violations(), testing::IsEmpty());
    EXPECT_EQ(world_.fake().used_bytes(0), 0u) << "device memory was lost";
    EXPECT_EQ(world_.fake().pinned_bytes(), 0u) << "page-locked memory was lost";
  }

  MemoryResource& memory() const { return stack_->top(); }
  StreamView stream() const { return *stream_; }
  Location place(void* data) const { return {data, memory().device()}; }
  bool is_bounded() const {
    return std::get<0>(GetParam()).limited || world_.kind() == WorldKind::fake;
  }

  World world_{std::get<1>(GetParam())};
  std::optional<Stack> stack_;
  std::optional<Stream> stream_;
};

TEST_P(MemoryResourceContract, WhatIsWrittenIsReadBack) {
  for (const size_t bytes : {1, 256, 1000, 65536, 1 << 20}) {
    void* data = memory().allocate(bytes, stream());
    const auto written = pattern(bytes, static_cast<uint32_t>(bytes));
    write_bytes(written, place(data), stream());
    EXPECT_EQ(read_bytes(place(data), bytes, stream()), written);
    memory().deallocate(data, bytes, stream());
  }
}

TEST_P(MemoryResourceContract, EveryAllocationIsAligned) {
  std::vector<std::pair<void*, size_t>> taken;
  for (const size_t bytes : {1, 3, 255, 257, 511, 4095, 100'000}) {
    taken.emplace_back(memory().allocate(bytes, stream()), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(taken.back().first) % kAlignment, 0u) << bytes;
  }
  for (const auto& [data, bytes] : taken)
    memory().deallocate(data, bytes, stream());
}

TEST_P(MemoryResourceContract, ZeroBytesAreNull) {
  EXPECT_EQ(memory().allocate(0, stream()), nullptr);
  memory().deallocate(nullptr, 0, stream());
}

TEST_P(MemoryResourceContract, LivingAllocationsDoNotOverlap) {
  constexpr size_t kBytes = 40'000;
  void* first = memory().allocate(kBytes, stream());
  void* second = memory().allocate(kBytes, stream());
  const auto one = pattern(kBytes, 1);
  const auto two = pattern(kBytes, 2);
  write_bytes(one, place(first), stream());
  write_bytes(two, place(second), stream());
  EXPECT_EQ(read_bytes(place(first), kBytes, stream()), one);
  memory().deallocate(first, kBytes, stream());
  EXPECT_EQ(read_bytes(place(second), kBytes, stream()), two);
  memory().deallocate(second, kBytes, stream());
}

TEST_P(MemoryResourceContract, MemoryServesAgainAfterItWasFreed) {
  for (uint32_t round = 0; round < 50; ++round) {
    const Buffer buffer(200'000, memory(), stream());
    const auto written = pattern(200'000, round);
    write_bytes(written, buffer.location(), stream());
    ASSERT_EQ(read_bytes(buffer.location(), 200'000, stream()), written);
  }
}

TEST_P(MemoryResourceContract, AnyOrderOfFreeingKeepsTheOthersWhole) {
  std::mt19937 random(7);
  for (int round = 0; round < 5; ++round) {
    std::vector<std::pair<Buffer, std::vector<uint8_t>>> living;
    for (uint32_t i = 0; i < 24; ++i) {
      const size_t bytes = 1 + random() % 200'000;
      living.emplace_back(Buffer(bytes, memory(), stream()), pattern(bytes, i));
      write_bytes(living.back().second, living.back().first.location(), stream());
    }
    std::ranges::shuffle(living, random);
    while (!living.empty()) {
      const auto& [buffer, bytes] = living.back();
      ASSERT_EQ(read_bytes(buffer.location(), bytes.size(), stream()), bytes);
      living.pop_back();
    }
  }
}

TEST_P(MemoryResourceContract, MoreThanThereIsGivesAnErrorAndNothingBreaks) {
  for (const size_t bytes : {size_t{1} << 62, SIZE_MAX, SIZE_MAX - kAlignment}) {
    try {
      memory().allocate(bytes, stream());
      ADD_FAILURE() << "gave " << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::memory) << error.what();
    }
  }
  const Buffer after(kMebibyte, memory(), stream());
  EXPECT_EQ(after.bytes(), kMebibyte);
}

TEST_P(MemoryResourceContract, ExhaustedItServesAgainOnceMemoryCameBack) {
  if (!is_bounded()) GTEST_SKIP() << "all of this machine's memory would have to be filled";
  std::vector<Buffer> taken;
  try {
    for (int i = 0; i < 1000; ++i)
      taken.emplace_back(kMebibyte, memory(), stream());
    FAIL() << "gave 1000 MiB";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory) << error.what();
  }
  EXPECT_GE(taken.size(), kCapacity / kMebibyte);
  taken.pop_back();
  EXPECT_NO_THROW(taken.emplace_back(kMebibyte, memory(), stream()));
  taken.clear();
  EXPECT_NO_THROW(Buffer(kCapacity, memory(), stream())) << "all of it must be one piece again";
}

TEST_P(MemoryResourceContract, ManyThreadsAtOnceKeepTheirBytes) {
  std::atomic<int> wrong = 0;
  const auto work = [&](uint32_t number) {
    const Stream own(world_.platform(), world_.device());
    std::mt19937 random(number);
    for (uint32_t i = 0; i < 60; ++i) {
      const size_t bytes = 1 + random() % 50'000;
      const Buffer buffer(bytes, memory(), own);
      const auto written = pattern(bytes, number * 1000 + i);
      write_bytes(written, buffer.location(), own);
      if (read_bytes(buffer.location(), bytes, own) != written) ++wrong;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (uint32_t number = 0; number < 4; ++number)
      threads.emplace_back(work, number);
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(MemoryResourceContract, FreedOnOneStreamUsedOnAnotherKeepsTheOrder) {
  constexpr size_t kBytes = kMebibyte;
  const Stream other(world_.platform(), world_.device());
  const auto first = pattern(kBytes, 1);
  const auto second = pattern(kBytes, 2);
  for (int round = 0; round < 20; ++round) {
    Buffer result(kBytes, memory(), stream());
    {
      const Buffer scratch(kBytes, memory(), stream());
      copy(scratch.location(), on_host(first.data()), kBytes, stream());
      copy(result.location(), scratch.location(), kBytes, stream());
    }
    const Buffer reused(kBytes, memory(), other);
    copy(reused.location(), on_host(second.data()), kBytes, other);
    ASSERT_EQ(read_bytes(result.location(), kBytes, stream()), first);
    ASSERT_EQ(read_bytes(reused.location(), kBytes, other), second);
    other.synchronize();
  }
}

INSTANTIATE_TEST_SUITE_P(Resources, MemoryResourceContract,
                         testing::Combine(testing::ValuesIn(kRecipes),
                                          testing::ValuesIn(kWorldKinds)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param).name) + "_on_" +
                                  to_string(std::get<1>(tested.param));
                         });

}  // namespace
}  // namespace seda::device
