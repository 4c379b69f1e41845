// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "seda/audio/detail/clip_file.h"

namespace seda::audio::detail {

/// A place in a clip's file, moved by reading and seeking: what decoders' callbacks stand on.
struct ClipCursor {
  ClipFile* file = nullptr;
  int64_t at = 0;

  int64_t size() const { return static_cast<int64_t>(file->size()); }

  /// As read(2): bytes that were there, 0 at the end.
  size_t read(void* target, size_t count) {
    const auto bytes = file->bytes(static_cast<uint64_t>(at), count);
    std::ranges::copy(bytes, static_cast<std::byte*>(target));
    at += static_cast<int64_t>(bytes.size());
    return bytes.size();
  }

  /// As lseek(2): the new place, -1 where that would be before the start.
  int64_t seek(int64_t offset, int whence) {
    int64_t base = 0;
    if (whence == SEEK_CUR) base = at;
    if (whence == SEEK_END) base = size();
    int64_t target = 0;
    if (__builtin_add_overflow(base, offset, &target) || target < 0) return -1;
    return at = target;
  }
};

}  // namespace seda::audio::detail
