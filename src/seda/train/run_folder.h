// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda::train {

/// Makes room in a run's folder for steps that go on from `checkpoint`, or begin anew where it is
/// empty, so that nothing of two runs is mixed and nothing is lost.
///
/// From the newest checkpoint there, nothing happens. From an earlier one, the later are moved into
/// `<run>/before-<n>`, with the link `best` where it is one of theirs and a copy of the log. Anew,
/// or from elsewhere, all that a run leaves is moved there: checkpoints, log, report, samples, bad
/// batches, and TensorBoard's files where they lie in the folder.
void make_room(const std::filesystem::path& run_folder, const std::filesystem::path& checkpoint);

}  // namespace seda::train
