// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace seda::python {

// Each adds its part to the module.
void bind_errors(nanobind::module_& module);   // bind_errors.cpp
void bind_config(nanobind::module_& module);   // bind_config.cpp
void bind_tensor(nanobind::module_& module);   // bind_tensor.cpp
void bind_loader(nanobind::module_& module);   // bind_loader.cpp
void bind_prepare(nanobind::module_& module);  // bind_prepare.cpp
void bind_text(nanobind::module_& module);     // bind_text.cpp
void bind_mel(nanobind::module_& module);      // bind_mel.cpp

}  // namespace seda::python
