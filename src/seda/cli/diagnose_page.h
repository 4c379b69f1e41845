// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/diagnose/diagnosis.h"

namespace seda::cli {

/// A diagnosis as one page for a browser that needs neither scripts nor a network: the verdict
/// first, then stages, timeline, queue, step times, cores and GPUs, memory, and all sections.
std::string diagnosis_page(const diagnose::Diagnosis& diagnosis);

}  // namespace seda::cli
