// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_cpu.h"

#include "seda/audio/detail/mel_kernel.h"
#include "seda/base/error.h"

namespace seda::audio {

struct MelCpu::Plan {
  detail::MelKernelPlan kernel;
};

struct MelCpu::Workspace::Buffers {
  detail::MelKernelBuffers kernel;
};

namespace {

void check_view(const MelView& out, int64_t frames) {
  if (static_cast<int64_t>(out.frames) == frames && out.stride >= out.frames) return;
  throw_error(ErrorKind::internal, "log-mel: expected room for {} frames, found {} of stride {}",
              frames, out.frames, out.stride);
}

}  // namespace

MelCpu::Workspace::Workspace(const MelCpu& plan)
    : buffers_(std::make_unique<Buffers>(Buffers{detail::MelKernelBuffers(plan.plan_->kernel)})) {}
MelCpu::Workspace::~Workspace() = default;
MelCpu::Workspace::Workspace(Workspace&&) noexcept = default;
MelCpu::Workspace& MelCpu::Workspace::operator=(Workspace&&) noexcept = default;

MelCpu::MelCpu(const MelOptions& options) : options_(options) {
  check(options);
  plan_ = std::make_unique<Plan>(Plan{detail::make_mel_kernel_plan(options)});
}
MelCpu::~MelCpu() = default;
MelCpu::MelCpu(MelCpu&&) noexcept = default;
MelCpu& MelCpu::operator=(MelCpu&&) noexcept = default;

void MelCpu::apply(std::span<const int16_t> samples, Workspace& workspace,
                   const MelView& out) const {
  check_view(out, frames(static_cast<int64_t>(samples.size())));
  if (out.frames > 0) detail::mel_kernel(plan_->kernel, samples, workspace.buffers_->kernel, out);
}

void MelCpu::apply(std::span<const float> samples, Workspace& workspace, const MelView& out) const {
  check_view(out, frames(static_cast<int64_t>(samples.size())));
  if (out.frames > 0) detail::mel_kernel(plan_->kernel, samples, workspace.buffers_->kernel, out);
}

}  // namespace seda::audio
