// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The interface of DLPack 1.0 (https://dmlc.github.io/dlpack), as far as it is used here. These
/// structs are given to other libraries: names and order of fields are DLPack's.
namespace seda::python::dlpack {

struct Version {
  uint32_t major = 1;
  uint32_t minor = 0;
};

enum class DeviceType : int32_t { cpu = 1, cuda = 2 };

struct Device {
  DeviceType type = DeviceType::cpu;
  int32_t id = 0;
};

enum class TypeCode : uint8_t { signed_integer = 0, floating = 2, boolean = 6 };

struct DataType {
  TypeCode code = TypeCode::floating;
  uint8_t bits = 32;
  uint16_t lanes = 1;
};

struct Tensor {
  void* data = nullptr;
  Device device;
  int32_t dimensions = 0;
  DataType type;
  int64_t* shape = nullptr;
  int64_t* strides = nullptr;  ///< In elements.
  uint64_t byte_offset = 0;
};

/// Of consumers that know no versions; in a capsule "dltensor".
struct Managed {
  Tensor tensor;
  void* context = nullptr;
  void (*deleter)(Managed* self) = nullptr;
};

/// In a capsule "dltensor_versioned".
struct ManagedVersioned {
  Version version;
  void* context = nullptr;
  void (*deleter)(ManagedVersioned* self) = nullptr;
  uint64_t flags = 0;  ///< None: the memory may be written to, and is no copy.
  Tensor tensor;
};

}  // namespace seda::python::dlpack
