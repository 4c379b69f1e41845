// SPDX-License-Identifier: Apache-2.0
//
// libseda_voices.so. The archives it is linked from were not made for a shared library: what they
// refer to outside themselves is wrapped by the linker (CMakeLists.txt) and stands here.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <flite/flite.h>

#include "seda/base/random.h"
#include "seda/corpus/voices_library.h"

extern "C" {
cst_voice* register_cmu_us_slt(const char* folder);
cst_voice* register_cmu_us_rms(const char* folder);
cst_voice* register_cmu_us_awb(const char* folder);
cst_voice* register_cmu_us_kal16(const char* folder);
}

namespace {

using seda::corpus::VoicesLibrary;

/// Thrown where flite would end the process.
struct Stopped {};

thread_local seda::Random noise{0};

struct Voice {
  const char* name;
  cst_voice* (*make)(const char* folder);
};

constexpr std::array<Voice, 4> kVoices = {{{"slt", register_cmu_us_slt},
                                           {"rms", register_cmu_us_rms},
                                           {"awb", register_cmu_us_awb},
                                           {"kal16", register_cmu_us_kal16}}};

/// Made once, before anyone speaks: making writes to flite's own tables, speaking only reads them.
const std::array<cst_voice*, kVoices.size()>& voices() {
  static const auto made = [] {
    flite_init();
    std::array<cst_voice*, kVoices.size()> list{};
    for (size_t i = 0; i < list.size(); ++i)
      list[i] = kVoices[i].make(nullptr);
    return list;
  }();
  return made;
}

int count() {
  return static_cast<int>(kVoices.size());
}

const char* name(int voice) {
  return kVoices.at(static_cast<size_t>(voice)).name;
}

const int16_t* take_samples(const cst_wave* wave, size_t* samples, int* sample_rate) {
  *samples = static_cast<size_t>(wave->num_samples);
  *sample_rate = wave->sample_rate;
  auto* copy = static_cast<int16_t*>(std::malloc(*samples * sizeof(int16_t) + 1));
  if (copy != nullptr && *samples > 0) {
    std::memcpy(copy, wave->samples, *samples * sizeof(int16_t));
  }
  return copy;
}

const int16_t* speak(int voice, const char* text, uint64_t seed, size_t* samples,
                     int* sample_rate) {
  try {
    cst_voice* const speaker = voices().at(static_cast<size_t>(voice));
    noise = seda::Random(seed);
    cst_wave* const wave = flite_text_to_wave(text, speaker);
    if (wave == nullptr) return nullptr;
    const int16_t* const copy = take_samples(wave, samples, sample_rate);
    delete_wave(wave);
    return copy;
  } catch (const Stopped&) {
    return nullptr;
  }
}

void release(const int16_t* samples) {
  std::free(const_cast<int16_t*>(samples));
}

constexpr VoicesLibrary kLibrary = {count, name, speak, release};

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names `ld --wrap`
// asks for
int __wrap_rand() {
  return static_cast<int>(noise() >> 33);
}

[[noreturn]] void __wrap_exit(int /*code*/) {
  throw Stopped{};
}

// In this file, too, `stderr` means __wrap_stderr: the stream itself is __real_stderr.
extern FILE* __real_stdin;
extern FILE* __real_stdout;
extern FILE* __real_stderr;
FILE* __wrap_stdin = __real_stdin;
FILE* __wrap_stdout = __real_stdout;
FILE* __wrap_stderr = __real_stderr;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

// Playing is not what this library is for; without these the linker would bring in ALSA.
cst_audiodev* audio_open_alsa(unsigned /*rate*/, int /*channels*/, cst_audiofmt /*format*/) {
  return nullptr;
}
int audio_close_alsa(cst_audiodev* /*device*/) {
  return -1;
}
int audio_write_alsa(cst_audiodev* /*device*/, void* /*samples*/, int /*bytes*/) {
  return -1;
}
int audio_drain_alsa(cst_audiodev* /*device*/) {
  return -1;
}
int audio_flush_alsa(cst_audiodev* /*device*/) {
  return -1;
}

__attribute__((visibility("default"))) const VoicesLibrary* seda_voices_library(int interface) {
  return interface == seda::corpus::kVoicesInterface ? &kLibrary : nullptr;
}
}
