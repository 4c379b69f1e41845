// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda {

/// Makes the next read of the file come from the disk: writes back what is unsaved, then asks the
/// system to forget its pages. No effect on pages that some process has mapped, nor on file systems
/// that live in memory; `resident_share` tells what became of it.
void drop_page_cache(const std::filesystem::path& path);

/// Share of the file's pages in the page cache, 0 to 1; 0 for an empty file. Of a file that this
/// user neither owns nor may write, Linux answers 1 whatever the truth.
double resident_share(const std::filesystem::path& path);

}  // namespace seda
