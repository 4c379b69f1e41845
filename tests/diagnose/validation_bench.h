// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/config/diff.h"
#include "seda/diagnose/repair.h"
#include "seda/diagnose/validation.h"
#include "tests/support/fake_backend.h"

namespace seda::testing_support {

/// A machine with GPUs that are not there, to validate configurations on.
struct ValidationBench {
  explicit ValidationBench(int gpus = 2)
      : fake({.devices = gpus, .memory_bytes = uint64_t{24} << 30}),
        monitor(device::make_empty_monitor("NVML is not there")) {}

  diagnose::Validation validate(const std::string& text,
                                const diagnose::ValidationOptions& options = {}) {
    const config::Reading reading = config::parse_config(text, "seda.yaml", 200);
    return diagnose::validate(input(reading, text), options);
  }

  diagnose::Repair repair(const std::string& text) {
    return diagnose::repair(text, "seda.yaml", [this](const std::string& now) {
      const config::Reading reading = config::parse_config(now, "seda.yaml", 200);
      return diagnose::configuration_findings(input(reading, now));
    });
  }

  diagnose::ValidationInput input(const config::Reading& reading, const std::string& text) {
    return {.reading = reading,
            .file = "seda.yaml",
            .text = text,
            .platform = fake.platform,
            .monitor = *monitor,
            .machine = machine};
  }

  FakePlatform fake;
  std::unique_ptr<device::Monitor> monitor;
  diagnose::Machine machine{.cores = 8, .memory_bytes = uint64_t{64} << 30};
};

/// The check of that name; one that says so where there is none.
inline diagnose::Check check_named(const diagnose::Validation& validation, std::string_view name) {
  for (const diagnose::Check& check : validation.checks) {
    if (check.name == name) return check;
  }
  return diagnose::not_measured("no such check", std::string(name));
}

}  // namespace seda::testing_support
