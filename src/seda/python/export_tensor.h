// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "seda/python/dlpack.h"
#include "seda/python/held_batch.h"

namespace seda::python {

/// An array of a batch, and what keeps it.
struct HeldTensor {
  std::shared_ptr<HeldBatch> batch;
  void* data = nullptr;
  dlpack::DataType type;
  std::vector<int64_t> shape;
};

/// The names of a batch's arrays, as `feed::BatchArrays` has them.
const std::vector<std::string>& tensor_names();

/// The array of that name; an Error(usage) lists those there are.
HeldTensor tensor_of(std::shared_ptr<HeldBatch> batch, std::string_view name);

/// "float32", "int32", "bool".
std::string type_name(const dlpack::DataType& type);

dlpack::Device device_of(const HeldTensor& tensor);

/// For a consumer, which calls the deleter once it is done, in any thread. Neither copies.
dlpack::Managed* export_plain(const HeldTensor& tensor);
dlpack::ManagedVersioned* export_versioned(const HeldTensor& tensor);

}  // namespace seda::python
