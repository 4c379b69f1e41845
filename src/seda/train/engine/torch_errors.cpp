// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/torch_errors.h"

#include <algorithm>
#include <array>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/train/engine/torch_device.h"

namespace seda::train {
namespace {

std::string first_line(const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  return text.substr(0, text.find('\n'));
}

bool says(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

bool out_of_memory(const c10::Error& error, std::string_view message) {
  return dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||
         says(message, "out of memory") || says(message, "can't allocate memory");
}

/// What CUDA says when a device is not usable any more, by whatever cause.
bool device_lost(std::string_view message) {
  static constexpr std::array kWords = {
      "device-side assert", "uncorrectable",        "unspecified launch failure",
      "illegal memory",     "misaligned address",   "device is lost",
      "fallen off the bus", "hardware stack error", "illegal instruction"};
  return std::ranges::any_of(kWords, [&](const char* words) { return says(message, words); });
}

std::string shape_text(const feed::BatchShape& shape) {
  if (shape.batch == 0) return "";
  return fmt::format("; the largest batch has {} clips of {} frames and {} tokens", shape.batch,
                     shape.frames, shape.tokens);
}

/// Torch's "Tried to allocate 2.00 GiB.", if it says so.
std::string asked_text(std::string_view message) {
  const size_t begin = message.find("Tried to allocate ");
  if (begin == std::string_view::npos) return std::string(message);
  const size_t end = message.find("B. ", begin);
  return std::string(message.substr(begin, end == std::string_view::npos ? end : end + 1 - begin));
}

[[noreturn]] void throw_out_of_memory(std::string_view message, const TorchWork& work) {
  const TorchMemory memory = torch_memory(work.device);
  const std::string limit = work.memory_limit_bytes == 0 ? std::string("what is free")
                                                         : format_bytes(work.memory_limit_bytes);
  throw_error(ErrorKind::memory,
              "{} on {} is out of memory: {}; torch holds {}, {} of it in use; its limit is {}{}. "
              "Lower data.batch_size (or data.batch_frames), data.max_mel_frames or model.size",
              work.what, to_string(work.device), asked_text(message),
              format_bytes(memory.held_bytes), format_bytes(memory.used_bytes), limit,
              shape_text(work.largest));
}

}  // namespace

void throw_torch_error(const c10::Error& error, const TorchWork& work) {
  const std::string message = first_line(error);
  if (out_of_memory(error, message)) throw_out_of_memory(message, work);
  if (device_lost(message)) {
    throw_error(ErrorKind::unavailable,
                "{}: {} stopped answering ({}); the last checkpoint is kept: start again to go on "
                "from it, and look into the system's log if it happens again",
                work.what, to_string(work.device), message);
  }
  throw_error(ErrorKind::internal, "{}: torch says: {}", work.what, message);
}

}  // namespace seda::train
