// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/npy.h"

#include <functional>
#include <numeric>

#include <fmt/ranges.h>

#include "seda/base/atomic_file.h"
#include "seda/base/error.h"

namespace seda::audio {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY\x01\x00", 8};
constexpr size_t kBlock = 64;

}  // namespace

std::string npy_header(std::span<const size_t> shape) {
  // A tuple of one has a comma, too.
  std::string text = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}{}), }}",
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const size_t start = kMagic.size() + 2;
  const size_t whole = (start + text.size() + 1 + kBlock - 1) / kBlock * kBlock;
  text.resize(whole - start - 1, ' ');
  text += '\n';
  std::string header(kMagic);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

void write_npy(const std::filesystem::path& path, std::span<const float> values,
               std::span<const size_t> shape) {
  const size_t count = std::accumulate(shape.begin(), shape.end(), size_t{1}, std::multiplies<>());
  if (count != values.size()) {
    throw_error(ErrorKind::internal, "{}: {} values do not fill a shape of {}", path.native(),
                values.size(), count);
  }
  AtomicFile file(path);
  file.append(npy_header(shape));
  file.append({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  file.commit();
}

}  // namespace seda::audio
