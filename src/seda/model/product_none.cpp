// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/model/detail/product.h"

namespace seda::model::detail {
namespace {

[[noreturn]] void throw_no_products() {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
}

}  // namespace

torch::Tensor linear_cuda(const torch::Tensor&, const LinearWeights&) {
  throw_no_products();
}

torch::Tensor gelu_pair_cuda(const torch::Tensor&, const LinearWeights&, const LinearWeights&) {
  throw_no_products();
}

}  // namespace seda::model::detail
