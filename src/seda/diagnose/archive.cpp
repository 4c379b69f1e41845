// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/archive.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "seda/base/error.h"

namespace seda::diagnose {
namespace {

constexpr size_t kBlock = 512;
constexpr size_t kNameBytes = 100;
constexpr size_t kChecksumAt = 148;
constexpr size_t kChecksumBytes = 8;

void put(std::string& header, size_t at, const std::string& text) {
  header.replace(at, text.size(), text);
}

/// Fields at the places that POSIX gives them.
std::string header_of(const ArchiveEntry& entry) {
  if (entry.name.size() > kNameBytes) {
    throw_error(ErrorKind::internal, "a name of {} bytes does not fit an archive",
                entry.name.size());
  }
  std::string header(kBlock, '\0');
  put(header, 0, entry.name);
  put(header, 100, "0000644");
  put(header, 108, "0000000");
  put(header, 116, "0000000");
  put(header, 124, fmt::format("{:011o}", entry.content.size()));
  put(header, 136, "00000000000");
  put(header, 156, "0");
  put(header, 257, std::string("ustar\00000", 8));
  put(header, kChecksumAt, std::string(kChecksumBytes, ' '));
  const unsigned sum = std::accumulate(header.begin(), header.end(), 0U, [](unsigned all, char c) {
    return all + static_cast<unsigned char>(c);
  });
  put(header, kChecksumAt, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return header;
}

}  // namespace

std::string tar_of(std::span<const ArchiveEntry> entries) {
  std::string out;
  for (const ArchiveEntry& entry : entries) {
    out += header_of(entry) + entry.content;
    out.resize((out.size() + kBlock - 1) / kBlock * kBlock, '\0');
  }
  out.append(2 * kBlock, '\0');
  return out;
}

}  // namespace seda::diagnose
