// SPDX-License-Identifier: Apache-2.0
#include "seda/device/copy.h"

#include "seda/base/error.h"

namespace seda::device {

void copy(Location to, ConstLocation from, size_t bytes, StreamView stream) {
  if (bytes == 0) return;
  const Device runs_on = stream.device();
  const bool host_only = to.device.is_cpu() && from.device.is_cpu();
  if (!host_only && runs_on != to.device && runs_on != from.device) {
    throw_error(ErrorKind::internal, "a copy from {} to {} was put on a stream of {}",
                to_string(from.device), to_string(to.device), to_string(runs_on));
  }
  if (!host_only && runs_on.is_cpu()) {
    throw_error(ErrorKind::internal, "a copy from {} to {} needs a stream of the GPU, not the CPU",
                to_string(from.device), to_string(to.device));
  }
  stream.backend().copy(runs_on.index, to, from, bytes, stream.native());
}

void fill(Location to, std::byte value, size_t bytes, StreamView stream) {
  if (bytes == 0) return;
  if (to.device != stream.device()) {
    throw_error(ErrorKind::internal, "memory of {} cannot be filled on a stream of {}",
                to_string(to.device), to_string(stream.device()));
  }
  stream.backend().fill(stream.device().index, to.data, value, bytes, stream.native());
}

}  // namespace seda::device
