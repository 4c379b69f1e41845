// SPDX-License-Identifier: Apache-2.0
#include "seda/model/align_cuda.h"

#include <algorithm>

#include "seda/base/error.h"
#include "seda/device/buffer.h"
#include "seda/device/check_cuda.h"
#include "seda/device/device_guard_cuda.h"
#include "seda/model/detail/align_launch_cuda.h"

namespace seda::model {
namespace {

using detail::AlignTask;

constexpr int kMostClips = 65535;  // a grid's height

void check_plan(const AlignShape& largest) {
  const bool fits = largest.batch >= 0 && largest.batch <= kMostClips && largest.tokens >= 0 &&
                    largest.frames >= 0 && largest.frames <= detail::kAlignMostFrames;
  if (fits) return;
  throw_error(ErrorKind::config,
              "alignment on a GPU: expected at most {} clips of {} frames, found {} of {} with {} "
              "tokens; use smaller batches or shorter clips",
              kMostClips, detail::kAlignMostFrames, largest.batch, largest.frames, largest.tokens);
}

void check_shape(const AlignInput& input, const AlignShape& largest) {
  const bool fits = input.batch <= largest.batch && input.tokens <= largest.tokens &&
                    input.frames <= largest.frames;
  if (fits) return;
  throw_error(ErrorKind::usage,
              "alignment on a GPU: planned for at most {} clips of {} tokens and {} frames, found "
              "{} of {} and {}; plan for the largest batch",
              largest.batch, largest.tokens, largest.frames, input.batch, input.tokens,
              input.frames);
}

/// At least one byte, since a resource gives no fewer.
device::Buffer buffer_of(size_t bytes, device::MemoryResource& resource,
                         device::StreamView stream) {
  return {std::max<size_t>(bytes, 1), resource, stream};
}

AlignTask task_of(const AlignInput& input, const AlignOutput& output) {
  AlignTask task{};
  task.log_likelihood = input.log_likelihood;
  task.token_lengths = input.token_lengths;
  task.frame_lengths = input.frame_lengths;
  task.batch = input.batch;
  task.tokens = input.tokens;
  task.frames = input.frames;
  task.durations = output.durations;
  task.path = output.path;
  task.status = reinterpret_cast<uint8_t*>(output.status);
  return task;
}

}  // namespace

struct AlignCuda::Plan {
  int device = 0;
  device::Buffer advances;
  device::Buffer begins;
};

AlignCuda::AlignCuda(const AlignShape& largest, device::MemoryResource& resource,
                     device::StreamView stream)
    : largest_(largest), plan_(std::make_unique<Plan>()) {
  check_plan(largest);
  const size_t tokens = static_cast<size_t>(largest.batch) * static_cast<size_t>(largest.tokens);
  plan_->device = stream.device().index;
  plan_->advances =
      buffer_of(tokens * detail::align_strips(largest.frames) * sizeof(uint32_t), resource, stream);
  plan_->begins = buffer_of(tokens * sizeof(int32_t), resource, stream);
}

AlignCuda::~AlignCuda() = default;
AlignCuda::AlignCuda(AlignCuda&&) noexcept = default;
AlignCuda& AlignCuda::operator=(AlignCuda&&) noexcept = default;

void AlignCuda::apply(const AlignInput& input, const AlignOutput& output,
                      device::StreamView stream) const {
  check_shape(input, largest_);
  if (input.batch == 0 || input.tokens == 0) return;
  const device::DeviceGuard guard(plan_->device);
  const auto native = static_cast<cudaStream_t>(stream.native());
  AlignTask task = task_of(input, output);
  task.advances = plan_->advances.as<uint32_t>().data();
  task.begins = plan_->begins.as<int32_t>().data();
  device::check_cuda(detail::run_align(task, native), "alignment kernel", plan_->device);
  if (task.path == nullptr || task.frames == 0) return;
  device::check_cuda(detail::run_align_path(task, native), "path kernel", plan_->device);
}

}  // namespace seda::model
