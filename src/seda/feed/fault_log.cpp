// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/fault_log.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "seda/base/error.h"

namespace seda::feed {
namespace {

constexpr size_t kFaultsShown = 10;

std::string first_of(std::span<const Fault> faults) {
  std::string out;
  for (const Fault& fault : faults.first(std::min(faults.size(), kFaultsShown)))
    out += fmt::format("\n  {} {}: {}", fault.id, fault.code, fault.evidence);
  if (faults.size() > kFaultsShown) {
    out += fmt::format("\n  and {} more", faults.size() - kFaultsShown);
  }
  return out;
}

bool are_few(size_t bad, size_t clips, double max_share) {
  return static_cast<double>(bad) <= max_share * static_cast<double>(clips);
}

std::string too_many(size_t bad, size_t clips, double max_share) {
  return fmt::format(
      "{} of {} clips are bad, more than data.max_fault_share ({}) allows; mend them, or raise "
      "that key",
      bad, clips, max_share);
}

}  // namespace

void require_few_faults(std::span<const Fault> faults, size_t clips, double max_share) {
  if (are_few(faults.size(), clips, max_share)) return;
  throw_error(ErrorKind::check_failed, "{}:{}", too_many(faults.size(), clips, max_share),
              first_of(faults));
}

void require_few_faults(size_t faults, size_t clips, double max_share) {
  if (are_few(faults, clips, max_share)) return;
  throw_error(ErrorKind::check_failed, "{}", too_many(faults, clips, max_share));
}

void FaultLog::add(uint32_t row, const Fault& fault) {
  const MutexLock lock(mutex_);
  faults_.try_emplace(row, fault);
  if (!are_few(faults_.size(), clips_, max_share_)) {
    require_few_faults(listed(), clips_, max_share_);
  }
}

std::vector<Fault> FaultLog::faults() const {
  const MutexLock lock(mutex_);
  return listed();
}

std::vector<Fault> FaultLog::listed() const {
  std::vector<Fault> out;
  out.reserve(faults_.size());
  for (const auto& [row, fault] : faults_)
    out.push_back(fault);
  return out;
}

}  // namespace seda::feed
