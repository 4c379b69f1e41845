// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace seda {

constexpr uint64_t kDefaultSizeLimit = uint64_t{1} << 30;

/// Everything in a regular file, byte for byte. More than `size_limit` bytes is an Error(io).
std::string read_file(const std::filesystem::path& path, uint64_t size_limit = kDefaultSizeLimit);

/// Replaces the file, or makes it, in one step that survives a crash (`AtomicFile`).
void write_file(const std::filesystem::path& path, std::string_view content);

/// Makes the folder and those above it. One that is there already is fine.
void create_folders(const std::filesystem::path& path);

/// Returns when the content of an open file is on the disk. Pipes and devices, which have none, are
/// fine. `path` is for the message.
void sync_file(int descriptor, const std::filesystem::path& path);

/// Returns when the names in a folder are on the disk: what makes a rename or a new file last.
void sync_folder(const std::filesystem::path& path);

/// Returns when all that was written to the file system of `folder` is on the disk.
void sync_file_system(const std::filesystem::path& folder);

/// The folder that holds `path`: "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// Writes all of `content` or throws.
void write_all(int descriptor, std::string_view content, const std::filesystem::path& path);

}  // namespace seda
