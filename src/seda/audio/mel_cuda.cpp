// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_cuda.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "seda/audio/detail/cufft_cuda.h"
#include "seda/audio/detail/mel_launch_cuda.h"
#include "seda/audio/detail/mel_segments.h"
#include "seda/audio/mel_tables.h"
#include "seda/base/error.h"
#include "seda/device/buffer.h"
#include "seda/device/check_cuda.h"
#include "seda/device/device_guard_cuda.h"
#include "seda/device/upload.h"

namespace seda::audio {
namespace {

using detail::MelGroups;
using detail::MelSegments;
using detail::MelTask;
using device::upload;

constexpr int kCufftRows = 16384;  // frames transformed at a time
constexpr int kFrameQuad = 4;      // frames that the kernels around cuFFT take together

/// Halved, because two frames are transformed as one, and for samples in steps of 16 bits.
std::vector<float> scaled_window(const MelOptions& options) {
  const std::vector<double> window = mel_window(options);
  std::vector<float> out(window.size());
  std::ranges::transform(window, out.begin(),
                         [](double w) { return static_cast<float>(w / 65536); });
  return out;
}

std::vector<float2> twiddles(int n_fft) {
  std::vector<float2> out(static_cast<size_t>(n_fft));
  for (int i = 0; i < n_fft; ++i) {
    const double angle = -2 * std::numbers::pi * i / n_fft;
    out[static_cast<size_t>(i)] = {static_cast<float>(std::cos(angle)),
                                   static_cast<float>(std::sin(angle))};
  }
  return out;
}

/// The window in rows of 32, four of them interleaved (detail/mel_warp_kernel.cuh).
std::vector<float> window_columns(const std::vector<float>& window) {
  std::vector<float> out(window.size());
  for (size_t i = 0; i < window.size(); ++i) {
    const size_t row = i / 32;
    const size_t to = (row / 4 * 32 + i % 32) * 4 + row % 4;
    if (to < out.size()) out[to] = window[i];
  }
  return out;
}

/// What turns each lane's values between the two halves of a transform of 1024 points.
std::vector<float2> turn_columns() {
  std::vector<float2> out(1024);
  const std::vector<float2> turns = twiddles(1024);
  for (size_t i = 0; i < 32; ++i) {
    for (size_t lane = 0; lane < 32; ++lane)
      out[(i / 2 * 32 + lane) * 2 + i % 2] = turns[lane * i];
  }
  return out;
}

detail::Radices factor(int n_fft) {
  detail::Radices out;
  for (const int radix : {4, 2, 3, 5}) {
    for (; n_fft % radix == 0; n_fft /= radix)
      out.at[out.count++] = radix;
  }
  return out;
}

const char* name_of(MelKernel kernel) {
  return kernel == MelKernel::warp ? "warp" : kernel == MelKernel::block ? "block" : "cufft";
}

bool can(MelKernel kernel, const MelTask& task) {
  if (kernel == MelKernel::warp) return detail::warp_kernel_can(task);
  return kernel == MelKernel::cufft || detail::block_kernel_can(task);
}

MelKernel choose(std::optional<MelKernel> wanted, const MelTask& task) {
  if (wanted && !can(*wanted, task)) {
    throw_error(ErrorKind::config, "the kernel '{}' cannot do n_fft {} with n_mels {}; 'cufft' can",
                name_of(*wanted), task.n_fft, task.n_mels);
  }
  if (wanted) return *wanted;
  if (can(MelKernel::warp, task)) return MelKernel::warp;
  return can(MelKernel::block, task) ? MelKernel::block : MelKernel::cufft;
}

/// What the kernels count in 32 bits, and a grid's height.
void check_shape(const MelOptions& options, int batch, int frames) {
  constexpr int64_t kMostSamples = 1 << 30;
  constexpr int kMostClips = 65535;
  if (batch <= kMostClips && int64_t{frames} * options.hop_length <= kMostSamples) return;
  throw_error(ErrorKind::usage,
              "mels on a GPU: expected at most {} clips of {} samples at a time, found {} of {}",
              kMostClips, kMostSamples, batch, int64_t{frames} * options.hop_length);
}

}  // namespace

struct MelCuda::Plan {
  MelTask task{};
  int device = 0;
  device::Buffer window;
  device::Buffer twiddles;
  device::Buffer window_columns;
  device::Buffer turn_columns;
  device::Buffer groups;
  device::Buffer group_bins;
  device::Buffer group_weights;
  device::Buffer segments;
  device::Buffer weights;
  detail::Radices radices;
  std::unique_ptr<const detail::CufftPlan> cufft;  // null: another kernel does it
  device::Buffer frames;                           // [kCufftRows, n_fft]
  device::Buffer spectra;                          // [kCufftRows, n_fft / 2 + 1] complex

  void fill_tables(const MelOptions& options, device::MemoryResource& resource,
                   device::StreamView stream);
  void fill_bands(const MelOptions& options, device::MemoryResource& resource,
                  device::StreamView stream);
  void plan_kernel(MelKernel kernel, device::MemoryResource& resource, device::StreamView stream);
  void plan_cufft(device::MemoryResource& resource, device::StreamView stream);

  MelTask task_of(const MelOptions& options, const MelInput& input, const MelOutput& output) const;
  void run_cufft(const MelTask& each, device::StreamView stream) const;
};

void MelCuda::Plan::fill_tables(const MelOptions& options, device::MemoryResource& resource,
                                device::StreamView stream) {
  const std::vector<float> scaled = scaled_window(options);
  window = upload<float>(scaled, resource, stream);
  twiddles = upload<float2>(audio::twiddles(options.n_fft), resource, stream);
  window_columns = upload<float>(audio::window_columns(scaled), resource, stream);
  turn_columns = upload<float2>(audio::turn_columns(), resource, stream);
  task.window = window.as<float>().data();
  task.twiddles = twiddles.as<float2>().data();
  task.window_columns = window_columns.as<float>().data();
  task.turn_columns = turn_columns.as<float2>().data();
  task.n_fft = options.n_fft;
  task.hop_length = options.hop_length;
  task.padding = mel_padding(options);
}

void MelCuda::Plan::fill_bands(const MelOptions& options, device::MemoryResource& resource,
                               device::StreamView stream) {
  static_assert(sizeof(MelSegments::Range) == sizeof(int2));
  static_assert(sizeof(MelSegments::Weight) == sizeof(float2));
  static_assert(sizeof(MelGroups::Group) == sizeof(int4));
  static_assert(sizeof(MelGroups::PairWeights) == sizeof(float4));
  const MelSegments bands = detail::mel_segments(mel_bands(options));
  const MelGroups dealt = detail::mel_groups(bands, detail::kBlockWarps);
  segments = upload<MelSegments::Range>(bands.ranges, resource, stream);
  weights = upload<MelSegments::Weight>(bands.weights, resource, stream);
  groups = upload<MelGroups::Group>(dealt.groups, resource, stream);
  group_bins = upload<int>(dealt.first_bins, resource, stream);
  group_weights = upload<MelGroups::PairWeights>(dealt.weights, resource, stream);
  task.segments = segments.as<int2>().data();
  task.weights = weights.as<float2>().data();
  task.groups = groups.as<int4>().data();
  task.group_bins = group_bins.as<int>().data();
  task.group_weights = group_weights.as<float4>().data();
  task.group_count = static_cast<int>(dealt.groups.size());
  task.n_mels = options.n_mels;
  task.bins = bands.bins();
  task.half_power = static_cast<float>(options.power / 2);
  task.floor = static_cast<float>(options.floor);
  task.log2_scale = static_cast<float>(options.compression == Compression::log ? std::numbers::ln2
                                                                               : std::log10(2.0));
}

void MelCuda::Plan::plan_kernel(MelKernel kernel, device::MemoryResource& resource,
                                device::StreamView stream) {
  if (kernel == MelKernel::warp) {
    device::check_cuda(detail::plan_warp(task), "plan of the warp kernel", device);
  } else if (kernel == MelKernel::block) {
    radices = factor(task.n_fft);
    device::check_cuda(detail::plan_block(task), "plan of the block kernel", device);
  } else {
    plan_cufft(resource, stream);
  }
}

void MelCuda::Plan::plan_cufft(device::MemoryResource& resource, device::StreamView stream) {
  const auto n_fft = static_cast<size_t>(task.n_fft);
  cufft = std::make_unique<const detail::CufftPlan>(detail::CufftPlan::Kind::real_to_complex,
                                                    task.n_fft, kCufftRows, resource, stream);
  frames = device::Buffer(kCufftRows * n_fft * sizeof(float), resource, stream);
  spectra = device::Buffer(kCufftRows * (n_fft / 2 + 1) * sizeof(float2), resource, stream);
  device::check_cuda(detail::plan_bands(task), "plan of the band kernel", device);
}

MelTask MelCuda::Plan::task_of(const MelOptions& options, const MelInput& input,
                               const MelOutput& output) const {
  MelTask out = task;
  out.samples = input.samples;
  out.offsets = input.offsets;
  out.lengths = input.lengths;
  out.batch = input.batch;
  out.is_pcm16 = input.type == SampleType::pcm16;
  out.output = output.data;
  out.frames = output.frames;
  out.is_bfloat16 = output.type == MelType::bfloat16;
  out.pad_value = output.pad_value.value_or(mel_silence(options));
  return out;
}

void MelCuda::Plan::run_cufft(const MelTask& each, device::StreamView stream) const {
  const auto native = static_cast<cudaStream_t>(stream.native());
  const int rows_per_clip = (each.frames + kFrameQuad - 1) / kFrameQuad * kFrameQuad;
  const int64_t all = static_cast<int64_t>(each.batch) * rows_per_clip;
  for (int64_t begin = 0; begin < all; begin += kCufftRows) {
    const detail::RowRange rows{begin, kCufftRows, rows_per_clip};
    device::check_cuda(detail::run_frames(each, rows, frames.as<float>().data(), native),
                       "frame kernel", device);
    cufft->apply(frames.data(), spectra.data(), stream);
    device::check_cuda(detail::run_bands(each, rows, spectra.as<float2>().data(), native),
                       "band kernel", device);
  }
}

MelCuda::MelCuda(const MelOptions& options, device::MemoryResource& resource,
                 device::StreamView stream, std::optional<MelKernel> kernel)
    : options_(options), plan_(std::make_unique<Plan>()) {
  check(options);
  const device::DeviceGuard guard(stream.device().index);
  plan_->device = stream.device().index;
  plan_->fill_tables(options, resource, stream);
  plan_->fill_bands(options, resource, stream);
  kernel_ = choose(kernel, plan_->task);
  plan_->plan_kernel(kernel_, resource, stream);
}

MelCuda::~MelCuda() = default;
MelCuda::MelCuda(MelCuda&&) noexcept = default;
MelCuda& MelCuda::operator=(MelCuda&&) noexcept = default;

void MelCuda::apply(const MelInput& input, const MelOutput& output,
                    device::StreamView stream) const {
  if (input.batch == 0 || output.frames == 0) return;
  check_shape(options_, input.batch, output.frames);
  const device::DeviceGuard guard(plan_->device);
  const MelTask task = plan_->task_of(options_, input, output);
  const auto native = static_cast<cudaStream_t>(stream.native());
  if (kernel_ == MelKernel::warp) {
    device::check_cuda(detail::run_warp(task, native), "warp kernel", plan_->device);
  } else if (kernel_ == MelKernel::block) {
    device::check_cuda(detail::run_block(task, plan_->radices, native), "block kernel",
                       plan_->device);
  } else {
    plan_->run_cufft(task, stream);
  }
}

}  // namespace seda::audio
