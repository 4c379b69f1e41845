// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "seda/base/result.h"
#include "seda/dataset/detail/columns.h"
#include "seda/dataset/detail/lines.h"
#include "seda/dataset/metadata.h"

namespace seda::dataset::detail {

/// One row of a delimited file; the line was checked (`check_line`).
Result<Record> parse_row(std::string_view line, const Columns& columns, const Place& place);

/// One object of a JSON-lines manifest; likewise.
Result<Record> parse_object(std::string_view line, const Place& place);

/// Whether a line, sound or broken, begins an object that names a sound and a text: what tells a
/// manifest from settings that lie beside a corpus.
bool describes_a_clip(std::string_view line);

/// The record, unless it lacks its text or its clip's name.
Result<Record> check_record(Record record, const Place& place);

}  // namespace seda::dataset::detail
