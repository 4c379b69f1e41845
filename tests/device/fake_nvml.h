// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::device {

/// What the fake NVML answers with; a test changes it through `fake_nvml_state`, an exported
/// function of the library.
struct FakeNvmlState {
  int init_result = 0;
  unsigned gpus = 2;
  unsigned unreadable_gpu = ~0U;  ///< Counted, but its handle is refused.
  unsigned long long clock_reasons = 0;
  int direct_nvlinks = 0;    ///< Between GPU 0 and 1.
  int switched_nvlinks = 0;  ///< From each into switches.
  int topology_level = 20;
  bool gpm_supported = true;
  int gpm_sample_result = 0;
  unsigned gpm_refused_metric = 0;  ///< Its number; 0: none.
  double sm_percent = 75;
  unsigned utilization_percent = 87;  ///< FAKE_NVML_UTILIZATION of the environment, where set.

  int inits = 0;
  int shutdowns = 0;
  int gpm_samples = 0;      ///< Allocated now.
  int gpm_samples_got = 0;  ///< Taken so far.
};

}  // namespace seda::device
