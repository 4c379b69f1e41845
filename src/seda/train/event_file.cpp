// SPDX-License-Identifier: Apache-2.0
#include "seda/train/event_file.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/log.h"
#include "seda/train/detail/event_record.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;
using detail::ProtobufMessage;

// Numbers of the fields in tensorboard/compat/proto/event.proto.
constexpr int kWallTime = 1;
constexpr int kStep = 2;
constexpr int kFileVersion = 3;
constexpr int kSummary = 5;
constexpr int kSessionLog = 7;

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

}  // namespace

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

EventFile::EventFile(const fs::path& folder, EventFileOptions options)
    : options_(std::move(options)) {
  create_folders(folder);
  create(folder);
  add_event(0, kFileVersion, "brain.Event:2");
  flush();
}

EventFile::~EventFile() {
  try {
    flush();
  } catch (const std::exception& error) {
    log::warning("events were lost: {}", error.what());
  }
}

void EventFile::create(const fs::path& folder) {
  // Readers take the files of a folder in the order of their names, so seconds have ten digits.
  const std::string stem =
      fmt::format("events.out.tfevents.{:010}.{}.{}", static_cast<int64_t>(options_.now_s()),
                  host_name(), getpid());
  for (int number = 0; !file_; ++number) {
    path_ = folder / fmt::format("{}.{}", stem, number);
    file_ = FileDescriptor(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file_ && errno != EEXIST && errno != EINTR)
      throw_errno("cannot write", path_.native(), errno);
  }
}

void EventFile::add_event(int64_t step, int field, std::string_view content) {
  const auto event = ProtobufMessage()
                         .add_double(kWallTime, options_.now_s())
                         .add_varint(kStep, step)
                         .add_bytes(field, content);
  detail::append_record(pending_, event.bytes());
  if (pending_.size() >= options_.buffer_bytes) flush();
}

void EventFile::add_value(const ProtobufMessage& value, int64_t step) {
  constexpr int kValue = 1;
  add_event(step, kSummary, ProtobufMessage().add_message(kValue, value).bytes());
}

void EventFile::scalar(std::string_view tag, double value, int64_t step) {
  add_value(detail::scalar_value(tag, value), step);
}

void EventFile::image(std::string_view tag, const EncodedImage& image, int64_t step) {
  add_value(detail::image_value(tag, image), step);
}

void EventFile::audio(std::string_view tag, const EncodedAudio& audio, int64_t step) {
  add_value(detail::audio_value(tag, audio), step);
}

void EventFile::text(std::string_view tag, std::string_view markdown, int64_t step) {
  add_value(detail::text_value(tag, markdown), step);
}

void EventFile::restart(int64_t step) {
  constexpr int kStatus = 1;
  constexpr int kStart = 1;
  add_event(step, kSessionLog, ProtobufMessage().add_varint(kStatus, kStart).bytes());
}

void EventFile::flush() {
  try {
    write_all(file_.get(), pending_, path_);
  } catch (const Error&) {
    // Where even that fails, readers stop at the torn record.
    if (ftruncate(file_.get(), written_bytes_) == 0) lseek(file_.get(), written_bytes_, SEEK_SET);
    throw;
  }
  written_bytes_ += static_cast<int64_t>(pending_.size());
  pending_.clear();
}

}  // namespace seda::train
