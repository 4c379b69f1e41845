// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/fault_log.h"

#include <string>

#include <fmt/format.h>

#include "seda/base/error.h"

namespace seda::feed {
namespace {

constexpr size_t kFaultsShown = 10;

std::string listed(const std::map<uint32_t, Fault>& faults) {
  std::string out;
  size_t shown = 0;
  for (const auto& [row, fault] : faults) {
    if (shown++ == kFaultsShown) break;
    out += fmt::format("\n  {} {}: {}", fault.id, fault.code, fault.evidence);
  }
  if (faults.size() > kFaultsShown) {
    out += fmt::format("\n  and {} more", faults.size() - kFaultsShown);
  }
  return out;
}

}  // namespace

void FaultLog::add(uint32_t row, const Fault& fault) {
  const MutexLock lock(mutex_);
  faults_.try_emplace(row, fault);
  check();
}

void FaultLog::check() const {
  if (static_cast<double>(faults_.size()) <= max_share_ * static_cast<double>(clips_)) return;
  throw_error(ErrorKind::check_failed,
              "{} of {} clips are bad, more than data.max_fault_share ({}) allows; mend them, or "
              "raise that key:{}",
              faults_.size(), clips_, max_share_, listed(faults_));
}

std::vector<Fault> FaultLog::faults() const {
  const MutexLock lock(mutex_);
  std::vector<Fault> out;
  out.reserve(faults_.size());
  for (const auto& [row, fault] : faults_)
    out.push_back(fault);
  return out;
}

}  // namespace seda::feed
