// SPDX-License-Identifier: Apache-2.0
#include "seda/train/step_lines.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/log.h"
#include "seda/base/mapped_file.h"

namespace seda::train {
namespace {

constexpr size_t kMostPending = size_t{1} << 16;

/// Whether a line belongs to what is kept.
bool is_kept(std::string_view line, uint64_t last_step) {
  const Json value = Json::parse(line, nullptr, false);
  if (!value.is_object() || !value.contains("step")) return false;
  const Json& step = value["step"];
  return step.is_number_unsigned() && step.get<uint64_t>() <= last_step;
}

/// Bytes of the lines that stay: all before the first that does not.
size_t kept_bytes(std::string_view content, uint64_t last_step) {
  size_t kept = 0;
  while (kept < content.size()) {
    const size_t end = content.find('\n', kept);
    if (end == std::string_view::npos) break;
    if (!is_kept(content.substr(kept, end - kept), last_step)) break;
    kept = end + 1;
  }
  return kept;
}

size_t kept_bytes(const std::filesystem::path& path, uint64_t last_step) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return kept_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, last_step);
}

}  // namespace

StepLines::StepLines(const std::filesystem::path& path, uint64_t last_step) : path_(path) {
  create_folders(folder_of(path));
  file_ = open_file(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  const size_t kept = kept_bytes(path, last_step);
  if (::ftruncate(file_.get(), static_cast<off_t>(kept)) != 0) {
    throw_errno("cut", path.string(), errno);
  }
}

StepLines::~StepLines() {
  try {
    flush();
  } catch (const Error& problem) {
    log::warning("{}", problem.what());
  }
}

void StepLines::add(const Json& line) {
  pending_ += to_json_text(line, -1);
  pending_ += '\n';
  if (pending_.size() >= kMostPending) flush();
}

void StepLines::flush() {
  if (pending_.empty()) return;
  write_all(file_.get(), pending_, path_);
  pending_.clear();
}

}  // namespace seda::train
