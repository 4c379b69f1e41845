// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "seda/audio/mel_cpu.h"
#include "seda/device/copy.h"
#include "seda/device/platform.h"
#include "seda/feed/loader.h"
#include "seda/text/tokenizer.h"
#include "tests/feed/memory_source.h"
#include "tests/support/counting_backend.h"
#include "tests/support/fake_backend.h"

namespace seda::feed {

/// Where the two roles are in a test.
struct RolesCase {
  std::string name;
  Roles roles;
  bool fake = false;  ///< The GPUs are made of host memory.
};
inline void PrintTo(const RolesCase& value, std::ostream* out) {
  *out << value.name;
}

inline const std::vector<RolesCase> kRolesCases = {
    {"cpu_cpu", {device::kCpu, device::kCpu}, false},
    {"cpu_fake", {device::kCpu, device::cuda(0)}, true},
    {"cpu_cuda", {device::kCpu, device::cuda(0)}, false},
    {"cuda_cuda", {device::cuda(0), device::cuda(0)}, false},
    {"cuda_cpu", {device::cuda(0), device::kCpu}, false},
    {"cuda_other_cuda", {device::cuda(0), device::cuda(1)}, false},
};

/// A platform with the devices of a case, whose calls are counted.
class RolesWorld {
 public:
  explicit RolesWorld(const RolesCase& roles) : roles_(roles.roles) {
    std::unique_ptr<device::Backend> gpus;
    if (roles.fake) {
      gpus = std::make_unique<testing_support::FakeBackend>(
          testing_support::FakeOptions{.devices = 2, .memory_bytes = uint64_t{1} << 30});
    } else {
      gpus = device::make_cuda_backend();
    }
    auto counting = std::make_unique<testing_support::CountingBackend>(std::move(gpus));
    counting_ = counting.get();
    platform_ = std::make_unique<device::Platform>(device::make_cpu_backend(), std::move(counting));
  }

  const device::Platform& platform() const { return *platform_; }
  testing_support::BackendCalls calls() const { return counting_->calls(); }

  /// Why a device is not here; empty where both are.
  std::string absence() const {
    for (const device::Device device : {roles_.data, roles_.model}) {
      if (!platform_->has(device)) {
        const std::string reason = platform_->cuda_absence();
        return device::to_string(device) + " is not here" + (reason.empty() ? "" : ": " + reason);
      }
    }
    return "";
  }

 private:
  Roles roles_;
  testing_support::CountingBackend* counting_ = nullptr;
  std::unique_ptr<device::Platform> platform_;
};

/// A batch brought to the host.
struct HostBatch {
  BatchShape shape;
  BatchInfo info;
  std::vector<float> mel;
  std::vector<int32_t> tokens;
  std::vector<uint8_t> mel_mask;
  std::vector<uint8_t> token_mask;
  std::vector<int32_t> mel_lengths;
  std::vector<int32_t> token_lengths;
  std::vector<int32_t> speakers;
  std::vector<int32_t> languages;
};

template <typename T>
std::vector<T> fetch(const T* from, size_t count, const BatchLease& lease) {
  std::vector<T> out(count);
  device::copy(device::on_host(out.data()), {from, lease->memory.device()}, count * sizeof(T),
               lease.stream());
  lease.stream().synchronize();
  return out;
}

inline HostBatch to_host(const BatchLease& lease) {
  const Batch& batch = *lease;
  const auto size = static_cast<size_t>(batch.shape.batch);
  const size_t frames = size * static_cast<size_t>(batch.shape.frames);
  const size_t tokens = size * static_cast<size_t>(batch.shape.tokens);
  HostBatch out;
  out.shape = batch.shape;
  out.info = batch.info;
  out.mel = fetch(batch.arrays.mel, frames * static_cast<size_t>(batch.shape.n_mels), lease);
  out.tokens = fetch(batch.arrays.tokens, tokens, lease);
  out.mel_mask = fetch(batch.arrays.mel_mask, frames, lease);
  out.token_mask = fetch(batch.arrays.token_mask, tokens, lease);
  out.mel_lengths = fetch(batch.arrays.mel_lengths, size, lease);
  out.token_lengths = fetch(batch.arrays.token_lengths, size, lease);
  out.speakers = fetch(batch.arrays.speakers, size, lease);
  out.languages = fetch(batch.arrays.languages, size, lease);
  return out;
}

/// The largest difference between two batches' mels; infinite where anything else differs.
inline double difference(const HostBatch& a, const HostBatch& b) {
  const bool same =
      a.shape == b.shape && a.tokens == b.tokens && a.mel_mask == b.mel_mask &&
      a.token_mask == b.token_mask && a.mel_lengths == b.mel_lengths &&
      a.token_lengths == b.token_lengths && a.speakers == b.speakers &&
      a.languages == b.languages && a.info.clips == b.info.clips && a.info.epoch == b.info.epoch &&
      a.info.batch == b.info.batch && a.info.step == b.info.step &&
      a.info.bucket == b.info.bucket && a.info.repeats == b.info.repeats &&
      a.info.replaced == b.info.replaced && a.info.last_of_epoch == b.info.last_of_epoch &&
      a.info.real_frames == b.info.real_frames && a.info.real_tokens == b.info.real_tokens;
  double most = same ? 0 : std::numeric_limits<double>::infinity();
  for (size_t i = 0; same && i < a.mel.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a.mel[i]) - b.mel[i]));
  return most;
}

/// What a batch of the clips it names should hold, one element after another.
inline HostBatch expected(const HostBatch& fed, const MemorySource& source) {
  const BatchShape& shape = fed.shape;
  HostBatch out;
  out.shape = shape;
  out.info = fed.info;
  const audio::MelCpu mel(source.mel());
  audio::MelCpu::Workspace workspace(mel);
  for (const uint32_t row : fed.info.clips) {
    const auto& clip = source.clip(row);
    const auto frames = static_cast<int>(mel.frames(std::ssize(clip.samples)));
    std::vector<float> whole(static_cast<size_t>(frames * shape.n_mels));
    mel.apply(clip.samples, workspace,
              {whole.data(), static_cast<size_t>(frames), static_cast<size_t>(frames)});
    for (int band = 0; band < shape.n_mels; ++band) {
      for (int t = 0; t < shape.frames; ++t)
        out.mel.push_back(t < frames ? whole[static_cast<size_t>(band * frames + t)]
                                     : audio::mel_silence(source.mel()));
    }
    const auto symbols = static_cast<int>(clip.tokens.size());
    for (int t = 0; t < shape.tokens; ++t) {
      out.tokens.push_back(t < symbols ? clip.tokens[static_cast<size_t>(t)] : text::kPadToken);
      out.token_mask.push_back(t < symbols ? 1 : 0);
    }
    for (int t = 0; t < shape.frames; ++t)
      out.mel_mask.push_back(t < frames ? 1 : 0);
    out.mel_lengths.push_back(std::min(frames, shape.frames));
    out.token_lengths.push_back(std::min(symbols, shape.tokens));
    out.speakers.push_back(source.speaker(row));
    out.languages.push_back(source.language(row));
  }
  return out;
}

}  // namespace seda::feed
