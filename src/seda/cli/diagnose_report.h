// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/base/json.h"
#include "seda/diagnose/apply_remedies.h"
#include "seda/diagnose/diagnosis.h"

namespace seda::cli {

/// A diagnosis for people, in lines of at most `width` columns: the verdict, then what led to it.
std::string diagnosis_text(const diagnose::Diagnosis& diagnosis, size_t width);

/// What became of --apply, likewise.
std::string applied_text(const std::vector<diagnose::AppliedRemedy>& applied, size_t width);

/// The same for scripts.
Json diagnosis_json(const diagnose::Diagnosis& diagnosis);
Json applied_json(const std::vector<diagnose::AppliedRemedy>& applied);
Json corpus_json(const diagnose::CorpusFigures& corpus);

}  // namespace seda::cli
