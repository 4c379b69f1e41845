// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <cupti.h>

#include "seda/base/error.h"
#include "seda/base/shared_library.h"
#include "seda/train/engine/kernel_recorder.h"

namespace seda::train {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;
constexpr size_t kBufferAlignment = 8;  // which CUPTI asks for

/// What is recorded; CUPTI has no argument for its callbacks.
std::mutex mutex;
std::map<uint32_t, std::vector<KernelSpan>>& recorded() {
  static std::map<uint32_t, std::vector<KernelSpan>> spans;
  return spans;
}

SharedLibrary open_library() {
  std::string tried;
  for (const char* name : {"libcupti.so.13", "libcupti.so.12"}) {
    try {
      SharedLibrary found(name);
      found.keep();  // its threads outlive us
      return found;
    } catch (const Error& error) {
      tried += std::string("\n  ") + error.what();
    }
  }
  throw_error(ErrorKind::unavailable,
              "kernels cannot be recorded: expected CUPTI beside torch or in the CUDA toolkit. "
              "Tried:{}",
              tried);
}

const SharedLibrary& library() {
  static const SharedLibrary opened = open_library();
  return opened;
}

template <typename Function>
Function* function(const char* name) {
  auto* found = library().function<Function>(name);
  if (found == nullptr) {
    throw_error(ErrorKind::unavailable, "kernels cannot be recorded: libcupti has no {}", name);
  }
  return found;
}

void check(CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return;
  const char* words = nullptr;
  function<decltype(cuptiGetResultString)>("cuptiGetResultString")(result, &words);
  throw_error(ErrorKind::unavailable, "kernels cannot be recorded: {}: {}", what,
              words == nullptr ? "an unknown error" : words);
}

void CUPTIAPI give_buffer(uint8_t** buffer, size_t* size, size_t* most_records) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext /*context*/, uint32_t /*stream*/, uint8_t* buffer,
                          size_t /*size*/, size_t valid) {
  static auto* const next =
      function<decltype(cuptiActivityGetNextRecord)>("cuptiActivityGetNextRecord");
  {
    const std::scoped_lock lock(mutex);
    CUpti_Activity* record = nullptr;
    while (valid > 0 && next(buffer, valid, &record) == CUPTI_SUCCESS) {
      if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
      // Later versions of the record only append.
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
      recorded()[kernel->deviceId].push_back({kernel->start, kernel->end, kernel->name});
    }
  }
  std::free(buffer);
}

}  // namespace

KernelRecorder::KernelRecorder() {
  {
    const std::scoped_lock lock(mutex);
    recorded().clear();
  }
  check(function<decltype(cuptiActivityRegisterCallbacks)>("cuptiActivityRegisterCallbacks")(
            give_buffer, take_buffer),
        "cuptiActivityRegisterCallbacks");
  check(function<decltype(cuptiActivityEnable)>("cuptiActivityEnable")(
            CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
        "cuptiActivityEnable");
}

KernelRecorder::~KernelRecorder() {
  static auto* const disable =
      function<decltype(cuptiActivityDisable)>("cuptiActivityDisable");  // is there: it began
  disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

std::vector<KernelSpan> KernelRecorder::take(device::Device device) {
  check(function<decltype(cuptiActivityFlushAll)>("cuptiActivityFlushAll")(
            CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
        "cuptiActivityFlushAll");
  const std::scoped_lock lock(mutex);
  return std::exchange(recorded()[static_cast<uint32_t>(device.index)], {});
}

}  // namespace seda::train
