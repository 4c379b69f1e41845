// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/mel_maker.h"

#include <optional>
#include <vector>

#include "seda/audio/mel_cpu.h"
#include "seda/audio/mel_cuda.h"
#include "seda/base/per_thread.h"
#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/device/upload.h"

namespace seda::cli {
namespace {

class CpuMelMaker final : public MelMaker {
 public:
  explicit CpuMelMaker(const audio::MelOptions& options) : plan_(options) {}

  std::span<const float> make(std::span<const int16_t> samples) override {
    Worker& worker = workers_.local();
    if (!worker.workspace) worker.workspace.emplace(plan_);
    const auto frames = static_cast<size_t>(plan_.frames(std::ssize(samples)));
    worker.mel.resize(static_cast<size_t>(plan_.options().n_mels) * frames);
    if (frames > 0) plan_.apply(samples, *worker.workspace, {worker.mel.data(), frames, frames});
    return worker.mel;
  }

 private:
  struct Worker {
    std::optional<audio::MelCpu::Workspace> workspace;
    std::vector<float> mel;
  };

  audio::MelCpu plan_;
  PerThread<Worker> workers_;
};

/// A stream, a plan and memory of its own for each thread.
class CudaMelMaker final : public MelMaker {
 public:
  CudaMelMaker(device::Device device, const audio::MelOptions& options)
      : device_(device), options_(options), memory_(platform_, device) {}

  std::span<const float> make(std::span<const int16_t> samples) override {
    Worker& worker = workers_.local();
    if (worker.session == nullptr) {
      worker.session = std::make_unique<Session>(platform_, device_, options_, memory_);
    }
    const int64_t frames = audio::mel_frames(options_, std::ssize(samples));
    worker.mel.resize(static_cast<size_t>(options_.n_mels) * static_cast<size_t>(frames));
    if (frames > 0) run(worker, samples, static_cast<int>(frames));
    return worker.mel;
  }

 private:
  struct Session {
    Session(const device::Platform& platform, device::Device device,
            const audio::MelOptions& options, device::MemoryResource& memory)
        : stream(platform, device), plan(options, memory, stream) {}

    device::Stream stream;
    audio::MelCuda plan;
  };
  struct Worker {
    std::unique_ptr<Session> session;
    std::vector<float> mel;
  };

  void run(Worker& worker, std::span<const int16_t> samples, int frames) {
    const device::StreamView stream = worker.session->stream;
    const int64_t offset = 0;
    const auto length = static_cast<int32_t>(samples.size());
    const auto sound = device::upload(samples, memory_, stream);
    const auto offsets = device::upload(std::span(&offset, 1), memory_, stream);
    const auto lengths = device::upload(std::span(&length, 1), memory_, stream);
    const device::Buffer mel(worker.mel.size() * sizeof(float), memory_, stream);
    const audio::MelInput input{sound.data(), audio::SampleType::pcm16,
                                offsets.as<int64_t>().data(), lengths.as<int32_t>().data(), 1};
    worker.session->plan.apply(input, {mel.data(), audio::MelType::float32, frames, {}}, stream);
    device::copy(device::on_host(worker.mel.data()), mel.location(), mel.bytes(), stream);
    stream.synchronize();
  }

  device::Platform platform_;
  device::Device device_;
  audio::MelOptions options_;
  device::PlainResource memory_;
  PerThread<Worker> workers_;
};

}  // namespace

std::unique_ptr<MelMaker> make_mel_maker(device::Device device, const audio::MelOptions& options) {
  if (device.is_cpu()) return std::make_unique<CpuMelMaker>(options);
  return std::make_unique<CudaMelMaker>(device, options);
}

}  // namespace seda::cli
