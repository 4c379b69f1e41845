// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "seda/base/file_descriptor.h"
#include "seda/base/json.h"

namespace seda::train {

/// A file of JSON lines, each with its `step`, that a run goes on with.
///
/// Not thread-safe. Lines are gathered until `flush`, which hands them to the system: they survive
/// the end of this process.
class StepLines {
 public:
  /// Makes the file where it is not. Of one that is there, lines up to `last_step` stay; those
  /// after it, which will come again, and a line that a kill has torn are cut off.
  StepLines(const std::filesystem::path& path, uint64_t last_step);
  ~StepLines();
  StepLines(StepLines&&) = delete;
  StepLines& operator=(StepLines&&) = delete;

  void add(const Json& line);
  void flush();

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  std::string pending_;
};

}  // namespace seda::train
