// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "seda/audio/mel_options.h"
#include "seda/audio/mel_view.h"

namespace seda::audio {

/// Log-mel spectrogram on the CPU.
///
/// Plans once per options; the plan is const and may be shared by threads, each with its own
/// workspace. `apply` does not allocate. Equals the definition (`MelOptions`) to 3e-4 where that is
/// above -9 (tests/audio/mel_cpu_test.cpp).
class MelCpu {
 public:
  /// What one thread needs while it works; made once, used for any number of clips.
  class Workspace {
   public:
    explicit Workspace(const MelCpu& plan);
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;

   private:
    friend class MelCpu;
    struct Buffers;
    std::unique_ptr<Buffers> buffers_;
  };

  /// Checks the options.
  explicit MelCpu(const MelOptions& options);
  ~MelCpu();
  MelCpu(MelCpu&&) noexcept;
  MelCpu& operator=(MelCpu&&) noexcept;

  const MelOptions& options() const noexcept { return options_; }
  int64_t frames(int64_t samples) const { return mel_frames(options_, samples); }

  /// Fills `out`, which has just `frames(samples.size())` frames, else Error(internal). 16-bit
  /// samples count as x / 32768.
  void apply(std::span<const int16_t> samples, Workspace& workspace, const MelView& out) const;
  void apply(std::span<const float> samples, Workspace& workspace, const MelView& out) const;

 private:
  struct Plan;

  MelOptions options_;
  std::unique_ptr<const Plan> plan_;
};

}  // namespace seda::audio
