// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "seda/train/train_report.h"

namespace seda::train {

/// A run as a page for a browser: figures with their bands, curves, where time went, GPUs, plan,
/// checkpoints, samples and faults.
///
/// The page needs neither scripts nor a network: pictures and sounds are in it, 2 MB at most, and
/// what is more is linked from where it lies in `run_folder`. Reads `<run>/log.jsonl`, the
/// checkpoints' names and `<run>/samples`; what is missing there is left out.
std::string html_report(const TrainReport& report, const std::filesystem::path& run_folder);

/// Writes it as `<run>/report.html` and returns that path. The run is over and its results are
/// safe, so a page that cannot be written is a warning, and the path is empty.
std::filesystem::path write_html_report(const TrainReport& report,
                                        const std::filesystem::path& run_folder);

}  // namespace seda::train
