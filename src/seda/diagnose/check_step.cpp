// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"

namespace seda::diagnose {
namespace {

using config::Config;

constexpr const char* kGraphs = "training.enable_graph_mode";
constexpr const char* kFused = "training.enable_xla_compilation";
constexpr const char* kMixed = "training.mixed_precision";
constexpr const char* kDebug = "training.enable_eager_debug";
constexpr const char* kShapes = "data.pad_to_fixed_length";

/// "on (seda.yaml:4)".
std::string state(const Config& config, const char* key) {
  const std::string value = config.is_auto(key) ? "auto" : (config.boolean(key) ? "on" : "off");
  return fmt::format("{} ({})", value, config.source(key).text());
}

bool is_off(const Config& config, const char* key) {
  return !config.is_auto(key) && !config.boolean(key);
}

/// Something that is turned off; turned on again unless whoever did so is looking for a fault.
Check off(const CheckContext& context, const char* name, const char* key, FindingCode code,
          const std::string& cost) {
  const Config& config = context.config;
  Finding finding = of_key(config, key, Severity::warning, code,
                           fmt::format("{} is false: {}", key, cost), fmt::format("{}: true", key));
  if (!config.boolean(kDebug)) finding = with_fix(std::move(finding), config, true);
  return judged(name, {std::move(finding)}, "");
}

}  // namespace

Check check_fixed_shapes(const CheckContext& context) {
  const Config& config = context.config;
  if (config.boolean(kShapes)) return passed(kFixedShapes, state(config, kShapes));
  const bool graphs = config.boolean(kGraphs);
  Finding finding =
      of_key(config, kShapes, Severity::warning, FindingCode::shapes_vary,
             fmt::format("{} is false: every batch has a shape of its own{}", kShapes,
                         graphs ? fmt::format(", and {} needs a few fixed ones", kGraphs) : ""),
             fmt::format("{}: true", kShapes));
  if (graphs) finding = with_fix(std::move(finding), config, true);
  return judged(kFixedShapes, {std::move(finding)}, "");
}

Check check_fused_kernels(const CheckContext& context) {
  if (!is_off(context.config, kFused)) return passed(kFusedKernels, state(context.config, kFused));
  return off(context, kFusedKernels, kFused, FindingCode::plain_kernels,
             "each operation is a kernel of its own");
}

Check check_graph_mode(const CheckContext& context) {
  const Config& config = context.config;
  if (config.boolean(kDebug)) {
    return judged(kGraphMode,
                  {of_key(config, kDebug, Severity::warning, FindingCode::eager_debug,
                          fmt::format("{} is true: op by op with every operation checked, which is "
                                      "slow",
                                      kDebug),
                          fmt::format("{}: false, once the fault is found", kDebug))},
                  "");
  }
  if (context.model_device().is_cpu()) {
    return passed(kGraphMode, state(config, kGraphs) +
                                  "; the model is on the CPU, where there are "
                                  "no graphs");
  }
  if (!is_off(config, kGraphs)) return passed(kGraphMode, state(config, kGraphs));
  return off(context, kGraphMode, kGraphs, FindingCode::no_graphs,
             "the host launches every kernel of every step");
}

Check check_mixed_precision(const CheckContext& context) {
  const Config& config = context.config;
  const bool gpu = context.model_device().is_cuda();
  if (gpu && is_off(config, kMixed)) {
    return off(context, kMixedPrecision, kMixed, FindingCode::full_precision,
               "matrices are multiplied in fp32, without the tensor cores' bf16");
  }
  const bool on = config.boolean_or(kMixed, gpu);
  return passed(kMixedPrecision, fmt::format("{}, so {}", state(config, kMixed),
                                             on ? "bf16 with fp32 weights" : "fp32"));
}

}  // namespace seda::diagnose
