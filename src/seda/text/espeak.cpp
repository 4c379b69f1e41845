// SPDX-License-Identifier: Apache-2.0
#include "seda/text/espeak.h"

#include <cerrno>

#include <fmt/format.h>
#include <sys/mman.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/leaks_allowed.h"
#include "seda/base/mutex.h"
#include "seda/base/shared_library.h"

namespace seda::text {
namespace {

// Of espeak-ng's interface, version 1.5x, as far as it is used here.
constexpr int kSynchronousOutput = 1;
constexpr int kCharactersUtf8 = 1;
constexpr int kIpa = 0x02;
constexpr int kOk = 0;

using SamplesCallback = int(int16_t* samples, int count, void* events);

/// Opening sets the process' locale; and the loader's own locks are not seen by the thread
/// sanitizer. One at a time.
Mutex& loading() {
  static Mutex mutex;
  return mutex;
}

/// Where the samples of the calling thread's `speak` go.
thread_local std::vector<int16_t>* speaking = nullptr;

int take_samples(int16_t* samples, int count, void* /*events*/) {
  if (samples != nullptr && count > 0) speaking->insert(speaking->end(), samples, samples + count);
  return 0;  // go on
}

/// The bytes of the library, as a file that only this process sees.
FileDescriptor copy_to_memory(const std::filesystem::path& library) {
  FileDescriptor copy(memfd_create("espeak-ng", MFD_CLOEXEC));
  if (!copy) throw_errno("make a private copy of", library.string(), errno);
  write_all(copy.get(), read_file(library), "a copy of " + library.string() + " in memory");
  return copy;
}

/// Removes espeak-ng's marks of a change of language: "(en)", "(fa)".
std::string without_switches(std::string_view phonemes) {
  std::string out;
  while (true) {
    const size_t open = phonemes.find('(');
    out += phonemes.substr(0, open);
    if (open == std::string_view::npos) return out;
    const size_t close = phonemes.find(')', open);
    if (close == std::string_view::npos) return out;
    phonemes.remove_prefix(close + 1);
  }
}

}  // namespace

class Espeak::Library {
 public:
  Library(const EspeakLocation& location, const std::string& voice)
      : copy_(copy_to_memory(location.library)) {
    const LeaksAllowed allowed;
    open(location);
    if (need<int(const char*)>("espeak_SetVoiceByName")(voice.c_str()) != kOk) {
      close();
      throw_error(ErrorKind::unavailable,
                  "espeak-ng {} has no voice '{}'; 'espeak-ng --voices' lists those it has "
                  "(package espeak-ng-data)",
                  version_, voice);
    }
    need<void(SamplesCallback*)>("espeak_SetSynthCallback")(take_samples);
  }
  ~Library() { close(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  std::string phonemes(const std::string& words) const {
    const LeaksAllowed allowed;
    std::string out;
    const void* rest = words.c_str();
    while (rest != nullptr) {
      const char* clause = text_to_phonemes_(&rest, kCharactersUtf8, kIpa);
      if (clause == nullptr || *clause == '\0') continue;
      if (!out.empty()) out += ' ';
      out += clause;
    }
    return without_switches(out);
  }

  std::vector<int16_t> speak(const std::string& words) {
    const LeaksAllowed allowed;
    if (!has_output_) open_output();
    std::vector<int16_t> samples;
    speaking = &samples;
    const int status =
        synth_(words.c_str(), words.size() + 1, 0, 1, 0, kCharactersUtf8, nullptr, nullptr);
    speaking = nullptr;
    if (status != kOk) {
      throw_error(ErrorKind::unavailable, "espeak-ng could not speak '{}' (status {})", words,
                  status);
    }
    return samples;
  }

  int sample_rate() const noexcept { return sample_rate_; }
  const std::string& version() const noexcept { return version_; }

 private:
  void open(const EspeakLocation& location) {
    const MutexLock lock(loading());
    // The original stays open: the copies' own needs are then met by what it has loaded.
    original_ = std::make_unique<SharedLibrary>(location.library.string());
    library_ = std::make_unique<SharedLibrary>(fmt::format("/proc/self/fd/{}", copy_.get()));
    start(location);
  }

  void close() {
    const MutexLock lock(loading());
    if (library_ != nullptr) terminate_();
    library_ = nullptr;
    original_ = nullptr;
  }

  template <typename Signature>
  std::add_pointer_t<Signature> need(const char* name) const {
    auto* const function = library_->function<Signature>(name);
    if (function == nullptr) {
      throw_error(ErrorKind::unavailable,
                  "espeak-ng has no function '{}'; expected version 1.50 or later", name);
    }
    return function;
  }

  void start(const EspeakLocation& location) {
    const std::string data = location.data.string();
    terminate_ = need<int()>("espeak_Terminate");
    text_to_phonemes_ = need<const char*(const void**, int, int)>("espeak_TextToPhonemes");
    synth_ = need<int(const void*, size_t, unsigned, int, unsigned, unsigned, unsigned*, void*)>(
        "espeak_Synth");
    need<void(const char*)>("espeak_ng_InitializePath")(data.empty() ? nullptr : data.c_str());
    if (need<int(void*)>("espeak_ng_Initialize")(nullptr) != kOk) {
      throw_error(ErrorKind::unavailable,
                  "{} found no espeak-ng-data; install the package espeak-ng-data",
                  location.library.string());
    }
    sample_rate_ = need<int()>("espeak_ng_GetSampleRate")();
    const char* where = nullptr;
    const std::string_view told = need<const char*(const char**)>("espeak_Info")(&where);
    version_ = told.substr(0, told.find(' '));
  }

  /// Up to version 1.51 this also looks for a sound server, which leaves files in the user's home.
  void open_output() {
    const MutexLock lock(loading());
    const int status = need<int(int, int, const char*)>("espeak_ng_InitializeOutput")(
        kSynchronousOutput, 0, nullptr);
    if (status != kOk) {
      throw_error(ErrorKind::unavailable, "espeak-ng cannot make sound (status {})", status);
    }
    has_output_ = true;
  }

  FileDescriptor copy_;  // open as long as the library: the loader knows that by this name
  std::unique_ptr<SharedLibrary> original_;
  std::unique_ptr<SharedLibrary> library_;
  int (*terminate_)() = nullptr;
  const char* (*text_to_phonemes_)(const void**, int, int) = nullptr;
  int (*synth_)(const void*, size_t, unsigned, int, unsigned, unsigned, unsigned*, void*) = nullptr;
  int sample_rate_ = 0;
  bool has_output_ = false;
  std::string version_;
};

Espeak::Espeak(const EspeakLocation& location, const std::string& voice)
    : library_(std::make_unique<Library>(location, voice)) {}
Espeak::~Espeak() = default;

std::string Espeak::phonemes(const std::string& words) {
  return library_->phonemes(words);
}

std::vector<int16_t> Espeak::speak(const std::string& words) {
  return library_->speak(words);
}

int Espeak::sample_rate() const noexcept {
  return library_->sample_rate();
}

const std::string& Espeak::version() const noexcept {
  return library_->version();
}

}  // namespace seda::text
