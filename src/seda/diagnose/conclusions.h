// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/diagnose/diagnosis.h"

namespace seda::diagnose {

/// Fills in issues, recommendations and configuration changes from the sections and the verdict.
/// Of the changes only those that were not measured to bring nothing.
void conclude(Diagnosis& diagnosis);

}  // namespace seda::diagnose
