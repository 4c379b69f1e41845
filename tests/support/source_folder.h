// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda::testing_support {

/// The project's root: where the tests were built, or SEDA_SOURCE_FOLDER of the environment for
/// tests that were carried to another machine.
std::filesystem::path source_folder();

}  // namespace seda::testing_support
