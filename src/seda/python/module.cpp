// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "seda/base/build_info.h"
#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/program.h"
#include "seda/python/bindings.h"

namespace {

void set_log_level(const std::string& name) {
  using seda::log::Level;
  constexpr std::pair<const char*, Level> kLevels[] = {{"debug", Level::debug},
                                                       {"info", Level::info},
                                                       {"warning", Level::warning},
                                                       {"error", Level::error},
                                                       {"off", Level::off}};
  for (const auto& [known, level] : kLevels) {
    if (name != known) continue;
    seda::log::configure({.level = level, .json = false, .color = false});
    return;
  }
  seda::throw_error(seda::ErrorKind::usage,
                    "log level: expected debug, info, warning, error or off, found '{}'", name);
}

}  // namespace

NB_MODULE(_seda, module) {
  nanobind::set_leak_warnings(false);  // what a program keeps to its end is no mistake of its user
  module.doc() = "What the package seda is made of; use seda itself.";
  seda::python::bind_errors(module);
  seda::python::bind_config(module);
  seda::python::bind_tensor(module);
  seda::python::bind_loader(module);
  seda::python::bind_prepare(module);
  seda::python::bind_text(module);
  seda::python::bind_mel(module);
  module.def("set_log_level", &set_log_level, nanobind::arg("level"));
  module.def("root", [] { return seda::program_root().string(); });
  module.attr("version") = std::string(seda::build_info().version);
  module.attr("torch_version") = std::string(seda::build_info().torch);
  set_log_level("warning");
}
