// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/sections.h"

namespace seda::diagnose {
namespace {

constexpr double kMostResident = 0.5;

}  // namespace

Section storage_section(const StorageFacts& facts) {
  const StorageTimes& times = facts.times;
  if (times.reads == 0) {
    Section out = not_measured("storage", "no file of the corpus could be read");
    out.evidence["kind"] = facts.disk.kind;
    return out;
  }
  Section out{"storage", std::string(to_string(band(times.batch_s(), kReadSecondsBounds)))};
  out.evidence["kind"] = facts.disk.kind;
  out.evidence["device"] = facts.disk.device;
  out.evidence["file_system"] = facts.disk.file_system;
  out.evidence["read"] = facts.what;
  out.evidence["reads"] = times.reads;
  out.evidence["threads"] = facts.threads;
  out.evidence["batch_of_16_ms"] = 1e3 * times.batch_s();
  out.evidence["mb_per_s"] = 1e-6 * times.bytes_per_second();
  if (times.failed > 0) out.evidence["failed"] = times.failed;
  if (times.resident > kMostResident) {
    out.evidence["note"] = "most bytes could not be dropped from memory: this is its speed";
  }
  if (facts.cold_rate) out.evidence["loader_cold_clips_per_s"] = *facts.cold_rate;
  out.evidence["loader_warm_clips_per_s"] = facts.warm_rate;
  if (times.batch_s() > kReadSecondsBounds.fair) {
    out.evidence["advice"] = "use an SSD or --cache-dataset";
  }
  return out;
}

}  // namespace seda::diagnose
