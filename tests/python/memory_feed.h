// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "seda/python/session.h"
#include "tests/feed/memory_source.h"
#include "tests/support/fake_backend.h"

namespace seda::python {

/// What sessions over clips in memory are started with, on the CPU or on a GPU that is made of host
/// memory.
struct MemoryFeed {
  std::shared_ptr<const OpenedFeed> open(device::Device model,
                                         std::function<void()> while_waiting = {}) {
    auto fake = std::make_unique<testing_support::FakeBackend>(
        testing_support::FakeOptions{.devices = 1, .memory_bytes = memory_bytes});
    backend = fake.get();
    feed::OpenedClips clips;
    clips.source = source;
    feed::FeedOptions options;
    options.roles = {device::kCpu, model};
    options.workers = 2;
    options.prefetch = 2;
    options.slots = 2;
    options.one_deeper = true;
    options.batch_size = 4;
    options.num_buckets = 2;
    options.announce = false;
    options.heeds_interrupt = false;
    options.while_waiting = std::move(while_waiting);
    return std::make_shared<const OpenedFeed>(
        OpenedFeed{device::Platform(device::make_cpu_backend(), std::move(fake)), clips, options});
  }

  uint64_t memory_bytes = uint64_t{1} << 30;
  std::shared_ptr<feed::MemorySource> source = std::make_shared<feed::MemorySource>(40);
  testing_support::FakeBackend* backend = nullptr;  ///< Of the feed that was opened last.
};

}  // namespace seda::python
