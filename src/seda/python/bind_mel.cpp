// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "seda/audio/mel_cpu.h"
#include "seda/audio/sound_reader.h"
#include "seda/base/error.h"
#include "seda/base/per_thread.h"
#include "seda/feed/audio_options.h"
#include "seda/python/bindings.h"
#include "seda/python/unlocked.h"

namespace seda::python {
namespace {

namespace nb = nanobind;
using Samples = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Frames = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> span_of(const Samples& samples) {
  return {static_cast<const T*>(samples.data()), samples.shape(0)};
}

/// What is not would be silence, or noise, in the frames around it.
void require_finite(std::span<const float> samples) {
  const auto wrong = std::ranges::find_if_not(samples, [](float x) { return std::isfinite(x); });
  if (wrong == samples.end()) return;
  throw_error(ErrorKind::usage, "samples: expected finite numbers, found {} at {}", *wrong,
              wrong - samples.begin());
}

/// The log-mel spectrogram of one definition. Thread-safe.
class BoundMel {
 public:
  explicit BoundMel(const config::Config& config)
      : options_(feed::audio_options(config, false)), plan_(options_.mel) {}

  int n_mels() const { return options_.mel.n_mels; }
  int sample_rate() const { return options_.mel.sample_rate; }
  int64_t frames(int64_t samples) const { return plan_.frames(samples); }

  /// Fills `out`, which is [n_mels, frames(samples)].
  void apply(const Samples& samples, Frames& out) {
    const auto frames = static_cast<size_t>(plan_.frames(static_cast<int64_t>(samples.shape(0))));
    if (out.shape(0) != static_cast<size_t>(n_mels()) || out.shape(1) != frames) {
      throw_error(ErrorKind::usage,
                  "the mel of {} samples is [{}, {}], and the array for it [{}, {}]",
                  samples.shape(0), n_mels(), frames, out.shape(0), out.shape(1));
    }
    if (frames == 0) return;
    const audio::MelView view{out.data(), frames, frames};
    if (samples.dtype() == nb::dtype<int16_t>()) return fill(span_of<int16_t>(samples), view);
    if (samples.dtype() == nb::dtype<float>()) {
      require_finite(span_of<float>(samples));
      return fill(span_of<float>(samples), view);
    }
    throw_error(ErrorKind::usage, "samples: expected int16 or float32");
  }

  /// Samples of a file, as the mel wants them.
  nb::ndarray<nb::numpy, int16_t, nb::ndim<1>> read(const std::string& path) {
    std::vector<int16_t> samples = read_samples(path);
    auto* kept = new std::vector<int16_t>(std::move(samples));
    const nb::capsule owner(
        kept, [](void* held) noexcept { delete static_cast<std::vector<int16_t>*>(held); });
    return {kept->data(), {kept->size()}, owner};
  }

 private:
  template <typename T>
  void fill(std::span<const T> samples, const audio::MelView& out) {
    const Unlocked unlocked;
    auto& workspace = workspaces_.local();
    if (!workspace) workspace.emplace(plan_);
    plan_.apply(samples, *workspace, out);
  }

  std::vector<int16_t> read_samples(const std::string& path) const {
    const Unlocked unlocked;
    audio::SoundReader reader(options_.sound);
    const auto sound = reader.read(path);
    if (!sound) {
      throw_error(ErrorKind::io, "{}: {}: {}", path, sound.fault().code, sound.fault().evidence);
    }
    const auto samples = sound.value().samples;
    return {samples.begin(), samples.end()};
  }

  feed::AudioOptions options_;
  audio::MelCpu plan_;
  PerThread<std::optional<audio::MelCpu::Workspace>> workspaces_;
};

}  // namespace

void bind_mel(nb::module_& module) {
  nb::class_<BoundMel>(module, "Mel", "The log-mel spectrogram of one definition.")
      .def(nb::init<const config::Config&>(), nb::arg("config"))
      .def_prop_ro("n_mels", &BoundMel::n_mels)
      .def_prop_ro("sample_rate", &BoundMel::sample_rate)
      .def("frames", &BoundMel::frames, nb::arg("samples"))
      .def("apply", &BoundMel::apply, nb::arg("samples").noconvert(), nb::arg("out").noconvert(),
           nb::sig("def apply(self, samples: typing.Any, out: typing.Any) -> None"))
      .def("read", &BoundMel::read, nb::arg("path"),
           nb::sig("def read(self, path: str) -> typing.Any"));
}

}  // namespace seda::python
