// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include "seda/base/error.h"
#include "seda/diagnose/archive.h"

namespace seda::diagnose {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // zlib's way to ask for gzip's frame

}  // namespace

std::string gzip_of(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw_error(ErrorKind::internal, "zlib does not start");
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT: zlib's API
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw_error(ErrorKind::internal, "zlib did not finish: {}", result);
  return out;
}

}  // namespace seda::diagnose
