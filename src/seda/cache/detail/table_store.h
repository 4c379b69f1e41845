// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/base/mutex.h"
#include "seda/cache/detail/part_list.h"
#include "seda/cache/detail/part_writer.h"

namespace seda::cache::detail {

/// One table of a writer: the part that is being filled, and those that are sealed. Thread-safe.
class TableStore {
 public:
  TableStore(std::filesystem::path folder, std::string name, Json description);

  const std::string& name() const { return name_; }
  const Hash128& fingerprint() const { return fingerprint_; }
  const Json& description() const { return description_; }

  /// Returns whether the part has reached `part_bytes`. On an Error the part is gone.
  bool append(const Key& key, const RecordView& data, uint64_t part_bytes);
  bool is_full(uint64_t part_bytes) const;

  /// Whether the key is in a part that is not sealed yet.
  bool is_waiting(const Key& key) const;

  /// The sealed parts as they are now.
  std::shared_ptr<const PartList> parts() const;

  /// Takes the part that is being filled, nullptr where there is none; its keys count as waiting
  /// until `publish` or `forget_taken`.
  std::shared_ptr<PartWriter> take_pending();
  void publish(std::shared_ptr<const PartList> parts);
  void forget_taken();

 private:
  const std::filesystem::path folder_;
  const std::string name_;
  const Json description_;
  const Hash128 fingerprint_;
  mutable Mutex mutex_;
  std::shared_ptr<PartWriter> pending_ SEDA_GUARDED_BY(mutex_);
  std::shared_ptr<const PartWriter> taken_ SEDA_GUARDED_BY(mutex_);
  std::shared_ptr<const PartList> parts_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda::cache::detail
