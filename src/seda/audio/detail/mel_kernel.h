// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "seda/audio/detail/fft_plan.h"
#include "seda/audio/detail/float_lines.h"
#include "seda/audio/detail/frames.h"
#include "seda/audio/mel_view.h"

namespace seda::audio::detail {

/// A band as the sum of `count` weighted bins.
struct MelKernelBand {
  uint32_t first = 0;  ///< Bin,
  uint32_t count = 0;
  uint32_t weights = 0;  ///< Where its weights begin.
};

/// What the kernel reads: tables of one `MelOptions`.
struct MelKernelPlan {
  Framing framing;
  FftPlan fft;
  std::vector<float> window;  ///< Halved, since the transform gives twice the bins.
  std::vector<MelKernelBand> bands;
  std::vector<float> weights;
  double power = 1;
  float floor = 0;
  float log_factor = 1;  ///< From the natural logarithm to the one that is wanted.
};

MelKernelPlan make_mel_kernel_plan(const MelOptions& options);

/// Memory that the kernel works in.
struct MelKernelBuffers {
  explicit MelKernelBuffers(const MelKernelPlan& plan);

  FloatLines edge;       ///< Samples of a group of frames that reaches beyond the clip.
  FloatLines polyphase;  ///< `[hop, columns]`
  FloatLines points;     ///< `[n_fft / 2, 2, lanes]`
  FloatLines spectrum;   ///< `[bins, lanes]`
  std::vector<uint32_t> offsets;
  size_t offset_columns = 0;  ///< What `offsets` were made for.
};

/// All frames of a clip that has at least one, with the widest vectors that the machine has.
void mel_kernel(const MelKernelPlan& plan, std::span<const int16_t> samples,
                MelKernelBuffers& buffers, const MelView& out);
void mel_kernel(const MelKernelPlan& plan, std::span<const float> samples,
                MelKernelBuffers& buffers, const MelView& out);

}  // namespace seda::audio::detail
