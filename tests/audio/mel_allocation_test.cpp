// SPDX-License-Identifier: Apache-2.0
// MelCpu::apply does not allocate. A program of its own, since it replaces operator new.
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "seda/audio/mel_cpu.h"
#include "tests/audio/clip.h"

namespace {

int allocations = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  void* data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* data) noexcept {
  std::free(data);
}
void operator delete(void* data, std::size_t) noexcept {
  std::free(data);
}
void operator delete(void* data, std::align_val_t) noexcept {
  std::free(data);
}
void operator delete(void* data, std::size_t, std::align_val_t) noexcept {
  std::free(data);
}

namespace seda::audio {
namespace {

TEST(MelAllocation, ApplyAllocatesNothing) {
  for (const auto name : mel_preset_names()) {
    const MelCpu plan(mel_preset(name));
    MelCpu::Workspace workspace(plan);
    for (const size_t length : {1U, 700U, 30000U, 256U * 40U}) {
      const auto clip = testing_support::made_clip(length);
      const auto floats = testing_support::to_floats(clip);
      const auto frames = static_cast<size_t>(plan.frames(static_cast<int64_t>(length)));
      std::vector<float> mel(80 * frames);
      const int before = allocations;
      plan.apply(std::span<const int16_t>(clip), workspace, {mel.data(), frames, frames});
      plan.apply(std::span<const float>(floats), workspace, {mel.data(), frames, frames});
      EXPECT_EQ(allocations, before) << name << " " << length;
    }
  }
  EXPECT_GT(allocations, 0);
}

}  // namespace
}  // namespace seda::audio
