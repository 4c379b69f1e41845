// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "seda/python/bindings.h"
#include "seda/python/export_tensor.h"
#include "seda/python/session.h"

namespace seda::python {
namespace {

namespace nb = nanobind;

constexpr const char* kPlain = "dltensor";
constexpr const char* kVersioned = "dltensor_versioned";

/// A capsule that nobody took gives its tensor back; a taken one has another name.
template <typename Managed>
void drop(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

nb::object capsule_of(dlpack::Managed* managed) {
  return nb::steal(PyCapsule_New(
      managed, kPlain, [](PyObject* capsule) { drop<dlpack::Managed>(capsule, kPlain); }));
}

nb::object capsule_of(dlpack::ManagedVersioned* managed) {
  return nb::steal(PyCapsule_New(managed, kVersioned, [](PyObject* capsule) {
    drop<dlpack::ManagedVersioned>(capsule, kVersioned);
  }));
}

/// What DLPack's numbers mean on CUDA: 1 the legacy default stream, also where nothing was said, 2
/// that of the thread, above that a stream's address. -1, a consumer that will wait by itself, is
/// given the legacy default stream too: someone must tell when the memory is free again.
device::NativeStream stream_of(std::optional<int64_t> number) {
  constexpr int64_t kLegacyStream = 1;
  if (number == 0) {
    throw nb::value_error(
        "stream=0 is ambiguous: expected 1 for the legacy default stream, 2 for that of the "
        "thread, "
        "or a stream's address");
  }
  if (number && *number < -1) {
    throw nb::value_error(
        ("stream: expected -1, 1, 2 or a stream's address, found " + std::to_string(*number))
            .c_str());
  }
  const int64_t address = !number || *number == -1 ? kLegacyStream : *number;
  return reinterpret_cast<device::NativeStream>(address);  // NOLINT: it is one
}

using DeviceNumbers = std::pair<int, int>;

DeviceNumbers dlpack_device(const HeldTensor& tensor) {
  const dlpack::Device device = device_of(tensor);
  return {static_cast<int>(device.type), device.id};
}

nb::object to_dlpack(const HeldTensor& tensor, std::optional<int64_t> stream,
                     std::optional<std::pair<int, int>> max_version,
                     std::optional<DeviceNumbers> dl_device, std::optional<bool> copy) {
  if (copy.value_or(false)) {
    throw nb::buffer_error(
        "a tensor of a batch is not copied: take it without copy=True, and copy "
        "the array that comes of it");
  }
  if (dl_device && *dl_device != dlpack_device(tensor)) {
    throw nb::buffer_error(
        "a tensor of a batch stays on its device: take it there, and move the array that comes of "
        "it");
  }
  if (tensor.batch->device().is_cuda()) tensor.batch->use_on(stream_of(stream));
  if (max_version && max_version->first >= 1) return capsule_of(export_versioned(tensor));
  return capsule_of(export_plain(tensor));
}

/// NumPy's, which other libraries ask of an array; its name where there is no NumPy.
nb::object type_of(const HeldTensor& tensor) {
  nb::object name = nb::cast(type_name(tensor.type));
  try {
    return nb::module_::import_("numpy").attr("dtype")(name);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    return name;
  }
}

/// For what asks for an array of NumPy: the same memory, a copy where `dtype` or `copy` wants one.
nb::object to_array(const nb::handle& self, const nb::object& dtype, const nb::object& copy) {
  const auto& tensor = nb::cast<const HeldTensor&>(self);
  if (tensor.batch->device().is_cuda()) {
    throw nb::buffer_error(
        "a tensor on a GPU is no array of NumPy: take it with torch.from_dlpack or "
        "jax.dlpack.from_dlpack, and bring what comes of it to the CPU");
  }
  const nb::module_ numpy = nb::module_::import_("numpy");
  return numpy.attr("array")(numpy.attr("from_dlpack")(self), nb::arg("dtype") = dtype,
                             nb::arg("copy") = copy);
}

std::string text_of(const HeldTensor& tensor) {
  std::string shape;
  for (const int64_t size : tensor.shape)
    shape += (shape.empty() ? "" : ", ") + std::to_string(size);
  return "seda.Tensor([" + shape + "], " + type_name(tensor.type) + ", " +
         device::to_string(tensor.batch->device()) + ")";
}

}  // namespace

void bind_tensor(nb::module_& module) {
  nb::class_<HeldTensor>(module, "Tensor",
                         "An array of a batch, for any library that knows DLPack. Keeps its batch.")
      .def_prop_ro(
          "shape", [](const HeldTensor& tensor) { return nb::tuple(nb::cast(tensor.shape)); },
          nb::sig("def shape(self) -> tuple[int, ...]"))
      .def_prop_ro("ndim", [](const HeldTensor& tensor) { return tensor.shape.size(); })
      .def_prop_ro("dtype", &type_of, nb::sig("def dtype(self) -> typing.Any"))
      .def_prop_ro(
          "device",
          [](const HeldTensor& tensor) { return device::to_string(tensor.batch->device()); })
      .def_prop_ro(
          "data_ptr",
          [](const HeldTensor& tensor) { return reinterpret_cast<uintptr_t>(tensor.data); })
      .def("__len__", [](const HeldTensor& tensor) { return tensor.shape.front(); })
      .def("__repr__", &text_of)
      .def("__dlpack_device__", &dlpack_device)
      .def("__dlpack__", &to_dlpack, nb::kw_only(), nb::arg("stream").none() = nb::none(),
           nb::arg("max_version").none() = nb::none(), nb::arg("dl_device").none() = nb::none(),
           nb::arg("copy").none() = nb::none(),
           nb::sig("def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, "
                   "int] | None = None, dl_device: tuple[int, int] | None = None, copy: bool | "
                   "None = None) -> typing.Any"))
      .def("__array__", &to_array, nb::arg("dtype").none() = nb::none(),
           nb::arg("copy").none() = nb::none(),
           nb::sig("def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> "
                   "typing.Any"));
}

}  // namespace seda::python
