// SPDX-License-Identifier: Apache-2.0
#include "seda/model/detail/lt_product_cuda.h"

#include <array>
#include <bit>
#include <map>
#include <optional>
#include <string>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cublasLt.h>
#include <dlfcn.h>

#include "seda/base/error.h"
#include "seda/base/mutex.h"

namespace seda::model::detail {
namespace {

/// cuBLASLt as torch has loaded it. Were it linked, the loader might find another copy first.
struct LtLibrary {
  decltype(&::cublasLtMatmulDescInit_internal) init_operation = nullptr;
  decltype(&::cublasLtMatmulDescSetAttribute) set_operation = nullptr;
  decltype(&::cublasLtMatrixLayoutInit_internal) init_layout = nullptr;
  decltype(&::cublasLtMatmulPreferenceInit_internal) init_preference = nullptr;
  decltype(&::cublasLtMatmulPreferenceSetAttribute) set_preference = nullptr;
  decltype(&::cublasLtMatmulAlgoGetHeuristic) choose = nullptr;
  decltype(&::cublasLtMatmul) multiply = nullptr;
};

template <typename Function>
void find_lt_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function != nullptr) return;
  throw_error(ErrorKind::unavailable,
              "cuBLASLt {}: expected a function {}, found none; install a torch for this CUDA",
              CUBLAS_VER_MAJOR, name);
}

LtLibrary loaded_lt_library() {
  const std::string name = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);
  void* found = ::dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (found == nullptr) {
    throw_error(ErrorKind::unavailable,
                "expected that torch has loaded {}, found that it has not: install a torch for "
                "CUDA {}",
                name, CUBLAS_VER_MAJOR);
  }
  LtLibrary library;
  find_lt_function(found, "cublasLtMatmulDescInit_internal", library.init_operation);
  find_lt_function(found, "cublasLtMatmulDescSetAttribute", library.set_operation);
  find_lt_function(found, "cublasLtMatrixLayoutInit_internal", library.init_layout);
  find_lt_function(found, "cublasLtMatmulPreferenceInit_internal", library.init_preference);
  find_lt_function(found, "cublasLtMatmulPreferenceSetAttribute", library.set_preference);
  find_lt_function(found, "cublasLtMatmulAlgoGetHeuristic", library.choose);
  find_lt_function(found, "cublasLtMatmul", library.multiply);
  return library;
}

const LtLibrary& lt() {
  static const LtLibrary library = loaded_lt_library();
  return library;
}

void check_lt(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw_error(ErrorKind::internal, "{}: cuBLAS status {}", call, static_cast<int>(status));
}

cudaDataType_t lt_type(const torch::Tensor& tensor) {
  return tensor.scalar_type() == torch::kBFloat16 ? CUDA_R_16BF : CUDA_R_32F;
}

cublasComputeType_t lt_compute_type(const torch::Tensor& tensor) {
  const bool rounds =
      tensor.scalar_type() == torch::kFloat32 && at::globalContext().allowTF32CuBLAS();
  return rounds ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

/// The largest power of two up to 256 that the tensor's place is a multiple of; 256 of none.
uint32_t lt_alignment(const torch::Tensor& tensor) {
  constexpr uintptr_t kMost = 256;
  if (!tensor.defined()) return kMost;
  const auto place = reinterpret_cast<uintptr_t>(tensor.const_data_ptr()) | kMost;
  return uint32_t{1} << std::countr_zero(place);
}

/// What cuBLASLt's answer depends on.
using LtKey = std::array<int64_t, 13>;

LtKey lt_key(const LtLinear& product, size_t workspace) {
  return {product.x.get_device(),
          lt_type(product.x),
          lt_compute_type(product.x),
          static_cast<int64_t>(product.inner.defined()),
          product.x.size(0),
          product.x.size(1),
          product.result.size(1),
          lt_alignment(product.x),
          lt_alignment(product.weight),
          lt_alignment(product.bias),
          lt_alignment(product.inner),
          lt_alignment(product.result),
          static_cast<int64_t>(workspace)};
}

/// Descriptors of a product. They hold pointers of this call; making them costs next to nothing.
///
/// cuBLASLt counts by columns: x, which lies row by row, is to it a matrix X [inputs × places], the
/// weights W [inputs × outputs], the result Y [outputs × places]. So Y = Wᵀ X, with W first.
class LtDescription {
 public:
  explicit LtDescription(const LtLinear& product) {
    const auto type = lt_compute_type(product.result);
    check_lt(lt().init_operation(&operation_, sizeof(operation_), type, CUDA_R_32F),
             "cublasLtMatmulDescInit");
    set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE,
        product.inner.defined() ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_BIAS);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, product.bias.data_ptr());
    if (product.inner.defined()) {
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, product.inner.data_ptr());
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, product.inner.size(1));
    }
    init(weight_, product.weight);
    init(x_, product.x);
    init(result_, product.result);
  }

  std::optional<cublasLtMatmulAlgo_t> chosen(const LtLinear& product, size_t workspace) {
    cublasLtMatmulPreferenceOpaque_t preference = preference_of(product, workspace);
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    const auto status = lt().choose(at::cuda::getCurrentCUDABlasLtHandle(), &operation_, &weight_,
                                    &x_, &result_, &result_, &preference, 1, &found, &count);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED) return std::nullopt;
    check_lt(status, "cublasLtMatmulAlgoGetHeuristic");
    if (count == 0 || found.state != CUBLAS_STATUS_SUCCESS) return std::nullopt;
    return found.algo;
  }

  void run(const LtLinear& product, const cublasLtMatmulAlgo_t& algorithm, size_t workspace) {
    constexpr float kOne = 1;
    constexpr float kZero = 0;
    void* result = product.result.mutable_data_ptr();
    check_lt(lt().multiply(at::cuda::getCurrentCUDABlasLtHandle(), &operation_, &kOne,
                           product.weight.const_data_ptr(), &weight_, product.x.const_data_ptr(),
                           &x_, &kZero, result, &result_, result, &result_, &algorithm,
                           at::cuda::getCUDABlasLtWorkspace(), workspace,
                           at::cuda::getCurrentCUDAStream().stream()),
             "cublasLtMatmul");
  }

 private:
  template <typename Value>
  void set(cublasLtMatmulDescAttributes_t attribute, Value value) {
    const auto* place = static_cast<const void*>(&value);  // of a pointer, too
    check_lt(lt().set_operation(&operation_, attribute, place, sizeof(value)),
             "cublasLtMatmulDescSetAttribute");
  }

  static void init(cublasLtMatrixLayoutOpaque_t& layout, const torch::Tensor& tensor) {
    check_lt(lt().init_layout(&layout, sizeof(layout), lt_type(tensor),
                              static_cast<uint64_t>(tensor.size(1)),
                              static_cast<uint64_t>(tensor.size(0)), tensor.size(1)),
             "cublasLtMatrixLayoutInit");
  }

  template <typename Value>
  static void set(cublasLtMatmulPreferenceOpaque_t& preference,
                  cublasLtMatmulPreferenceAttributes_t attribute, Value value) {
    check_lt(lt().set_preference(&preference, attribute, &value, sizeof(value)),
             "cublasLtMatmulPreferenceSetAttribute");
  }

  static cublasLtMatmulPreferenceOpaque_t preference_of(const LtLinear& product, size_t workspace) {
    cublasLtMatmulPreferenceOpaque_t preference{};
    check_lt(lt().init_preference(&preference, sizeof(preference)), "cublasLtMatmulPreferenceInit");
    set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, uint64_t{workspace});
    // Parts of a sum that is split are added in fp32, not in the type of the result.
    set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
        uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, lt_alignment(product.weight));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, lt_alignment(product.x));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, lt_alignment(product.result));
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, lt_alignment(product.result));
    return preference;
  }

  cublasLtMatmulDescOpaque_t operation_{};
  cublasLtMatrixLayoutOpaque_t weight_{};
  cublasLtMatrixLayoutOpaque_t x_{};
  cublasLtMatrixLayoutOpaque_t result_{};
};

/// What cuBLASLt chose, or that it has nothing. Autograd asks from a thread of its own.
class LtPlans {
 public:
  std::optional<cublasLtMatmulAlgo_t> of(const LtLinear& product, LtDescription& description,
                                         size_t workspace) {
    const LtKey key = lt_key(product, workspace);
    const MutexLock lock(mutex_);
    const auto known = plans_.find(key);
    if (known != plans_.end()) return known->second;
    return plans_.emplace(key, description.chosen(product, workspace)).first->second;
  }

 private:
  Mutex mutex_;
  std::map<LtKey, std::optional<cublasLtMatmulAlgo_t>> plans_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace

bool run_lt_linear(const LtLinear& product) {
  static LtPlans plans;
  const c10::cuda::CUDAGuard guard(product.x.get_device());
  const size_t workspace = at::cuda::getCUDABlasLtWorkspaceSize();
  LtDescription description(product);
  const auto plan = plans.of(product, description, workspace);
  if (!plan) return false;
  description.run(product, *plan, workspace);
  return true;
}

}  // namespace seda::model::detail
