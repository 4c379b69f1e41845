// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/cufft_cuda.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <cufft.h>

#include "seda/base/error.h"
#include "seda/base/shared_library.h"
#include "seda/device/buffer.h"
#include "seda/device/device_guard_cuda.h"

namespace seda::audio::detail {
namespace {

/// The functions of cuFFT that are used here.
struct Functions {
  decltype(&cufftCreate) create;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftMakePlanMany) make_plan_many;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftExecR2C) real_to_complex;
  decltype(&cufftExecC2R) complex_to_real;
  decltype(&cufftDestroy) destroy;
};

std::vector<std::string> candidates() {
  const std::string name = "libcufft.so." + std::to_string(CUFFT_VER_MAJOR);
  std::vector<std::string> out = {name};
  if (const char* file = std::getenv("SEDA_CUFFT")) out.insert(out.begin(), file);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* folder = std::getenv(variable)) {
      out.push_back(std::string(folder) + "/lib64/" + name);
    }
  }
  out.push_back("/usr/local/cuda/lib64/" + name);
  return out;
}

SharedLibrary open_library() {
  std::string tried;
  for (const std::string& name : candidates()) {
    try {
      SharedLibrary library(name);
      library.keep();  // it does not survive being unloaded before CUDA
      return library;
    } catch (const Error& error) {
      tried += std::string("\n  ") + error.what();
    }
  }
  throw_error(ErrorKind::unavailable,
              "cuFFT was not found; install the CUDA toolkit or torch, or set SEDA_CUFFT to the "
              "library file. Tried:{}",
              tried);
}

template <typename Function>
void bind(const SharedLibrary& library, Function& function, const char* name) {
  function = library.function<std::remove_pointer_t<Function>>(name);
  if (function == nullptr) throw_error(ErrorKind::unavailable, "cuFFT has no function {}", name);
}

Functions load() {
  const SharedLibrary library = open_library();
  Functions out{};
  bind(library, out.create, "cufftCreate");
  bind(library, out.set_auto_allocation, "cufftSetAutoAllocation");
  bind(library, out.make_plan_many, "cufftMakePlanMany");
  bind(library, out.set_work_area, "cufftSetWorkArea");
  bind(library, out.set_stream, "cufftSetStream");
  bind(library, out.real_to_complex, "cufftExecR2C");
  bind(library, out.complex_to_real, "cufftExecC2R");
  bind(library, out.destroy, "cufftDestroy");
  return out;
}

const Functions& functions() {
  static const Functions table = load();
  return table;
}

void check_cufft(cufftResult result, const char* call) {
  if (result == CUFFT_SUCCESS) return;
  const auto kind = result == CUFFT_ALLOC_FAILED ? ErrorKind::memory : ErrorKind::internal;
  throw_error(kind, "{} failed with cuFFT's error {}", call, static_cast<int>(result));
}

}  // namespace

struct CufftPlan::State {
  Kind kind = Kind::real_to_complex;
  cufftHandle handle = 0;
  device::Buffer work;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (handle != 0) functions().destroy(handle);
  }
};

CufftPlan::CufftPlan(Kind kind, int n_fft, int batch, device::MemoryResource& resource,
                     device::StreamView stream)
    : state_(std::make_unique<State>()) {
  const device::DeviceGuard guard(stream.device().index);
  const Functions& cufft = functions();
  state_->kind = kind;
  check_cufft(cufft.create(&state_->handle), "cufftCreate");
  check_cufft(cufft.set_auto_allocation(state_->handle, 0), "cufftSetAutoAllocation");
  const auto type = kind == Kind::real_to_complex ? CUFFT_R2C : CUFFT_C2R;
  size_t bytes = 0;
  check_cufft(cufft.make_plan_many(state_->handle, 1, &n_fft, nullptr, 1, 0, nullptr, 1, 0, type,
                                   batch, &bytes),
              "cufftMakePlanMany");
  state_->work = device::Buffer(bytes, resource, stream);
  check_cufft(cufft.set_work_area(state_->handle, state_->work.data()), "cufftSetWorkArea");
}

CufftPlan::~CufftPlan() = default;
CufftPlan::CufftPlan(CufftPlan&&) noexcept = default;
CufftPlan& CufftPlan::operator=(CufftPlan&&) noexcept = default;

void CufftPlan::apply(void* from, void* to, device::StreamView stream) const {
  const device::DeviceGuard guard(stream.device().index);
  const Functions& cufft = functions();
  check_cufft(cufft.set_stream(state_->handle, static_cast<cudaStream_t>(stream.native())),
              "cufftSetStream");
  if (state_->kind == Kind::real_to_complex) {
    check_cufft(cufft.real_to_complex(state_->handle, static_cast<cufftReal*>(from),
                                      static_cast<cufftComplex*>(to)),
                "cufftExecR2C");
  } else {
    check_cufft(cufft.complex_to_real(state_->handle, static_cast<cufftComplex*>(from),
                                      static_cast<cufftReal*>(to)),
                "cufftExecC2R");
  }
}

}  // namespace seda::audio::detail
