// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/table_store.h"

#include "seda/cache/description.h"

namespace seda::cache::detail {

TableStore::TableStore(std::filesystem::path folder, std::string name, Json description)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      description_(std::move(description)),
      fingerprint_(fingerprint_of(description_)),
      parts_(std::make_shared<const PartList>()) {}

bool TableStore::append(const Key& key, const RecordView& data, uint64_t part_bytes) {
  const uint64_t checksum = hash64(data.bytes);
  const MutexLock lock(mutex_);
  if (!pending_) pending_ = std::make_shared<PartWriter>(folder_, name_, fingerprint_);
  try {
    pending_->append(key, data, checksum);
  } catch (...) {
    pending_.reset();
    throw;
  }
  return pending_->is_full(part_bytes);
}

bool TableStore::is_full(uint64_t part_bytes) const {
  const MutexLock lock(mutex_);
  return pending_ && pending_->is_full(part_bytes);
}

bool TableStore::is_waiting(const Key& key) const {
  const MutexLock lock(mutex_);
  return (pending_ && pending_->contains(key)) || (taken_ && taken_->contains(key));
}

std::shared_ptr<const PartList> TableStore::parts() const {
  const MutexLock lock(mutex_);
  return parts_;
}

std::shared_ptr<PartWriter> TableStore::take_pending() {
  const MutexLock lock(mutex_);
  taken_ = pending_;
  return std::exchange(pending_, nullptr);
}

void TableStore::publish(std::shared_ptr<const PartList> parts) {
  const MutexLock lock(mutex_);
  parts_ = std::move(parts);
  taken_.reset();
}

void TableStore::forget_taken() {
  const MutexLock lock(mutex_);
  taken_.reset();
}

}  // namespace seda::cache::detail
