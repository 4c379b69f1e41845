// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/config/config.h"
#include "seda/diagnose/archive.h"
#include "seda/diagnose/diagnosis.h"

namespace seda::cli {

/// `text` with `home` and the folders of other homes shortened to "~".
std::string without_homes(std::string text, const std::string& home);

/// What someone who helps needs: the machine, figures of the corpus, the configuration and every
/// report. No sound, no word of a transcript and no clip's name; home folders are shortened.
std::vector<diagnose::ArchiveEntry> bundle_entries(
    const diagnose::Diagnosis& diagnosis, const config::Config& config,
    const std::optional<std::filesystem::path>& file);

/// Writes them as a gzipped tar archive.
void write_bundle(const std::filesystem::path& path,
                  const std::vector<diagnose::ArchiveEntry>& entries);

}  // namespace seda::cli
