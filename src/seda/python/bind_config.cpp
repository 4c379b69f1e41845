// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "seda/base/error.h"
#include "seda/python/bindings.h"
#include "seda/python/settings.h"

namespace seda::python {
namespace {

namespace nb = nanobind;
using config::Config;

/// Text is what YAML would have in quotes: never a number.
config::Scalar scalar_of(nb::handle value, const std::string& name) {
  if (nb::isinstance<nb::bool_>(value)) {
    return config::Scalar(nb::cast<bool>(value) ? "true" : "false");
  }
  if (nb::isinstance<nb::str>(value)) return config::Scalar(nb::cast<std::string>(value), true);
  if (nb::isinstance<nb::int_>(value) || nb::isinstance<nb::float_>(value)) {
    return config::Scalar(nb::cast<std::string>(nb::repr(value)));
  }
  throw_error(ErrorKind::config,
              "{}: expected a bool, int, float, str, None or a list of those, found {}", name,
              nb::cast<std::string>(nb::repr(value)));
}

Given given(nb::handle value, const std::string& name) {
  if (value.is_none()) return {};
  if (!nb::isinstance<nb::list>(value)) return scalar_of(value, name);
  std::vector<config::Scalar> several;
  for (const nb::handle element : nb::cast<nb::list>(value))
    several.push_back(scalar_of(element, name));
  return several;
}

void set(Config& config, const std::string& path, nb::handle value, const std::string& name) {
  set_key(config, path, given(value, name), name);
}

void load(Config* self, const std::optional<std::string>& file) {
  new (self) Config(file ? Config::load(*file) : Config());
}

nb::object value_of(const Config& config, const std::string& path) {
  if (config::find_key(path) == nullptr) {
    throw_error(ErrorKind::config, "unknown key {}", path);
  }
  return std::visit(
      [](const auto& value) -> nb::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return nb::none();
        } else {
          return nb::cast(value);
        }
      },
      config.value(path));
}

}  // namespace

void bind_config(nb::module_& module) {
  nb::class_<Config>(module, "Config", "The value of every key.")
      .def("__init__", &load, nb::arg("file").none() = nb::none())
      .def("set", &set, nb::arg("path"), nb::arg("value").none(), nb::arg("name"))
      .def("set_device", &set_device, nb::arg("path"), nb::arg("device"), nb::arg("name"))
      .def("get", &value_of, nb::arg("path"), nb::sig("def get(self, path: str) -> typing.Any"))
      .def("check", &Config::check);
}

}  // namespace seda::python
