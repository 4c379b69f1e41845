// SPDX-License-Identifier: Apache-2.0
#include "seda/python/held_batch.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/device/copy.h"
#include "seda/python/export_tensor.h"
#include "seda/python/session.h"
#include "tests/python/memory_feed.h"
#include "tests/support/error_message.h"

namespace seda::python {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

/// A session over clips in memory, on the CPU or on a GPU that is made of host memory.
class HeldBatchTest : public testing::Test {
 protected:
  std::shared_ptr<Session> start(device::Device model, std::function<void()> while_waiting = {}) {
    return Session::start(feed_.open(model, std::move(while_waiting)), {});
  }

  /// Of whatever epoch it is in.
  static std::shared_ptr<HeldBatch> next(Session& session) {
    return session.next(session.position().epoch);
  }

  static std::vector<float> mel_on(const HeldBatch& held, device::StreamView stream) {
    const auto& [clips, tokens, frames, n_mels] = held.batch().shape;
    std::vector<float> out(static_cast<size_t>(clips) * static_cast<size_t>(frames) *
                           static_cast<size_t>(n_mels));
    device::copy(device::on_host(out.data()), {held.batch().arrays.mel, held.device()},
                 out.size() * sizeof(float), stream);
    return out;
  }

  MemoryFeed feed_;
};

TEST_F(HeldBatchTest, EndsEachEpoch) {
  const auto session = start(device::kCpu);
  for (uint64_t epoch = 0; epoch < 2; ++epoch) {
    EXPECT_EQ(session->position(), (feed::SamplerState{epoch, 0}));
    size_t batches = 0;
    while (session->next(epoch) != nullptr)
      ++batches;
    EXPECT_EQ(batches, session->loader().batches_per_epoch());
    EXPECT_EQ(session->next(epoch), nullptr);
  }
  EXPECT_EQ(session->next(7), nullptr);
  EXPECT_EQ(session->position(), (feed::SamplerState{2, 0}));
}

TEST_F(HeldBatchTest, ATensorKeepsTheSlotAfterTheBatch) {
  const auto session = start(device::kCpu);
  auto batch = next(*session);
  dlpack::ManagedVersioned* taken = export_versioned(tensor_of(batch, "mel"));
  batch.reset();
  EXPECT_EQ(session->held(), 1);
  std::jthread([taken] { taken->deleter(taken); }).join();  // in any thread
  EXPECT_EQ(session->held(), 0);
}

TEST_F(HeldBatchTest, ATensorSaysWhatItIs) {
  const auto session = start(device::kCpu);
  const auto batch = next(*session);
  const auto& shape = batch->batch().shape;
  dlpack::Managed* taken = export_plain(tensor_of(batch, "mel"));
  EXPECT_EQ(taken->tensor.data, batch->batch().arrays.mel);
  ASSERT_EQ(taken->tensor.dimensions, 3);
  EXPECT_THAT(std::vector(taken->tensor.shape, taken->tensor.shape + 3),
              testing::ElementsAre(shape.batch, shape.n_mels, shape.frames));
  EXPECT_THAT(std::vector(taken->tensor.strides, taken->tensor.strides + 3),
              testing::ElementsAre(shape.n_mels * shape.frames, shape.frames, 1));
  EXPECT_EQ(taken->tensor.device.type, dlpack::DeviceType::cpu);
  taken->deleter(taken);
  EXPECT_THAT(error_message([&] { tensor_of(batch, "pitch"); }),
              HasSubstr("no 'pitch'; it has mel"));
}

TEST_F(HeldBatchTest, ATensorOutlivesTheSession) {
  auto session = start(device::kCpu);
  auto batch = next(*session);
  const float first = batch->batch().arrays.mel[0];
  dlpack::Managed* taken = export_plain(tensor_of(std::move(batch), "mel"));
  session.reset();
  EXPECT_EQ(static_cast<float*>(taken->tensor.data)[0], first);
  taken->deleter(taken);
}

TEST_F(HeldBatchTest, AllSlotsHeldIsAnErrorInsteadOfAWaitForever) {
  for (const device::Device model : {device::kCpu, device::cuda(0)}) {
    const auto session = start(model);
    std::vector<std::shared_ptr<HeldBatch>> kept;
    for (int i = 0; i < session->slots(); ++i)
      kept.push_back(next(*session));
    EXPECT_THAT(error_message([&] { next(*session); }), HasSubstr("slots of the loader are held"));
    kept.pop_back();
    EXPECT_NE(next(*session), nullptr);
  }
}

TEST_F(HeldBatchTest, AConsumersStreamWaitsForTheFilling) {
  using testing_support::FakeOperation;
  const auto session = start(device::cuda(0));
  const device::Stream consumer(session->feed().platform, device::cuda(0));
  const auto batch = next(*session);
  batch->use_on(consumer.view().native());
  mel_on(*batch, consumer);
  const auto done = feed_.backend->operations();
  const auto read = std::ranges::find_if(done, [](const FakeOperation& operation) {
    return operation.kind == FakeOperation::Kind::copy && operation.to == device::kCpu;
  });
  ASSERT_NE(read, done.end());
  EXPECT_TRUE(std::any_of(done.begin(), read, [&](const FakeOperation& operation) {
    return operation.kind == FakeOperation::Kind::wait && operation.stream == read->stream;
  }));
  EXPECT_THAT(feed_.backend->violations(), testing::IsEmpty());
}

/// A consumer that is behind reads what its batch held although the batch was given back long ago.
TEST_F(HeldBatchTest, ASlotIsNotFilledBeforeEveryConsumerIsDone) {
  const auto session = start(device::cuda(0));
  const device::Platform& platform = session->feed().platform;
  const device::Stream first(platform, device::cuda(0));
  const device::Stream second(platform, device::cuda(0));
  for (const device::StreamView late : {first.view(), second.view()}) {
    auto batch = next(*session);
    ASSERT_NE(batch, nullptr);
    batch->use_on(first.view().native());
    batch->use_on(second.view().native());
    const auto wanted = mel_on(*batch, late);
    late.synchronize();
    feed_.backend->hold(late);
    const size_t bytes = wanted.size() * sizeof(float);
    void* copied = feed_.backend->allocate(0, bytes);
    device::copy({copied, device::cuda(0)}, {batch->batch().arrays.mel, device::cuda(0)}, bytes,
                 late);
    batch.reset();
    for (int i = 0; i < session->slots(); ++i)
      next(*session);  // once around: the last is in its slot
    feed_.backend->release(late);
    late.synchronize();
    std::vector<float> found(wanted.size());
    device::copy(device::on_host(found.data()), {copied, device::cuda(0)}, bytes, late);
    late.synchronize();
    feed_.backend->deallocate(0, copied);
    EXPECT_EQ(std::memcmp(found.data(), wanted.data(), bytes), 0);
  }
  EXPECT_THAT(feed_.backend->violations(), testing::IsEmpty());
}

TEST_F(HeldBatchTest, WhatIsThrownWhileWaitingLosesNoBatch) {
  std::atomic<bool> slow = true;
  feed_.source->when_read = [&](uint32_t) {
    while (slow)
      std::this_thread::yield();
  };
  struct Stop {};
  const auto session = start(device::kCpu, [] { throw Stop(); });
  EXPECT_THROW(next(*session), Stop);
  EXPECT_EQ(session->position(), feed::SamplerState());
  slow = false;
  std::shared_ptr<HeldBatch> batch;
  while (batch == nullptr) {
    try {
      batch = next(*session);
    } catch (const Stop&) {
    }
  }
  EXPECT_EQ(batch->batch().info.batch, 0U);
}

/// What came after the last look would be heard only when the batch is already taken.
TEST_F(HeldBatchTest, AWaitLooksOnceMoreWhenTheBatchIsThere) {
  std::atomic<bool> slow = true;
  feed_.source->when_read = [&](uint32_t) {
    while (slow)
      std::this_thread::yield();
  };
  struct Stop {};
  int looks = 0;
  const auto session = start(device::kCpu, [&] {
    slow = false;
    if (++looks == 2) throw Stop();
  });
  EXPECT_THROW(next(*session), Stop);
  EXPECT_EQ(next(*session)->batch().info.batch, 0U);
}

TEST_F(HeldBatchTest, ManyThreadsShareTheBatchesOfAnEpoch) {
  const auto session = start(device::kCpu);
  const size_t batches = session->loader().batches_per_epoch();
  std::atomic<size_t> taken = 0;
  std::atomic<uint64_t> sum = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        while (taken.fetch_add(1) < batches) {
          const auto batch = session->next(0);
          sum += batch->batch().info.batch;
        }
      });
    }
  }
  EXPECT_EQ(sum, batches * (batches - 1) / 2);
}

}  // namespace
}  // namespace seda::python
