// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/model/detail/product.h"

namespace seda::model::detail {
namespace {

[[noreturn]] void throw_no_products() {
  device::throw_no_cuda("products on a GPU");
}

}  // namespace

torch::Tensor linear_cuda(const torch::Tensor&, const LinearWeights&) {
  throw_no_products();
}

torch::Tensor gelu_pair_cuda(const torch::Tensor&, const LinearWeights&, const LinearWeights&) {
  throw_no_products();
}

}  // namespace seda::model::detail
