// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::diagnose {

// What checks are called, for people and scripts; docs/faults.md.
constexpr const char* kConfigurationFile = "configuration file";
constexpr const char* kSchema = "schema";
constexpr const char* kNativeLoading = "native loading";
constexpr const char* kWorkers = "workers";
constexpr const char* kPrefetch = "prefetch";
constexpr const char* kFixedShapes = "fixed shapes";
constexpr const char* kFusedKernels = "fused kernels";
constexpr const char* kGraphMode = "graph mode";
constexpr const char* kMixedPrecision = "mixed precision";
constexpr const char* kGpu = "GPU";
constexpr const char* kRoles = "roles and budgets";
constexpr const char* kPeers = "peers";
constexpr const char* kRam = "RAM";
constexpr const char* kDisk = "disk space";
constexpr const char* kCache = "cache";
constexpr const char* kCorpusFit = "corpus fit";
constexpr const char* kBatchSize = "batch size";
constexpr const char* kMemoryFit = "memory fit";
constexpr const char* kLoader = "loader";
constexpr const char* kLiveRun = "live run";

}  // namespace seda::diagnose
