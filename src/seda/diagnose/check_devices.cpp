// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/units.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"

namespace seda::diagnose {
namespace {

using device::Device;

constexpr uint64_t kMegabyte = uint64_t{1} << 20;

/// One of the two roles and the keys that are about it.
struct Role {
  const char* name;
  const char* device_key;
  const char* budget_key;
};

constexpr Role kData{"data", "data.data_gpu", "data.data_gpu_memory"};
constexpr Role kModel{"model", "data.model_gpu", "data.model_gpu_memory"};
constexpr std::array<Role, 2> kBoth = {kData, kModel};

Device device_of(const CheckContext& context, const Role& role) {
  if (context.config.is_auto(role.device_key)) return context.model_device();
  return device::parse_device(context.config.text(role.device_key));
}

bool names_gpu(const config::Config& config) {
  return std::ranges::any_of(kBoth, [&](const Role& role) {
    return !config.is_auto(role.device_key) &&
           device::parse_device(config.text(role.device_key)).is_cuda();
  });
}

std::vector<std::string> device_names(const device::Platform& platform) {
  std::vector<std::string> names;
  for (const Device device : platform.devices())
    names.push_back(device::to_string(device));
  return names;
}

std::string gpu_text(const device::Platform& platform, Device device) {
  const auto properties = platform.properties(device);
  return fmt::format("{} {}, {}, compute capability {}.{}", device::to_string(device),
                     properties.name, format_bytes(properties.total_bytes),
                     properties.compute_major, properties.compute_minor);
}

std::string driver_text(const device::DriverInfo& driver) {
  if (driver.driver_version.empty()) return "driver version not known";
  return fmt::format("driver {}, up to CUDA {}", driver.driver_version, driver.cuda_version);
}

void find_missing(const CheckContext& context, const Role& role, std::vector<Finding>& findings) {
  if (context.config.is_auto(role.device_key)) return;
  const Device device = device_of(context, role);
  if (context.platform.has(device)) return;
  findings.push_back(of_key(
      context.config, role.device_key, Severity::error, FindingCode::missing_gpu,
      fmt::format("{} names {}, but this machine has {}", role.device_key,
                  device::to_string(device), fmt::join(device_names(context.platform), ", ")),
      fmt::format("{}: a device that is there, or auto", role.device_key)));
}

int64_t card_megabytes(const CheckContext& context, Device device) {
  return static_cast<int64_t>(context.platform.memory(device).total_bytes / kMegabyte);
}

Finding above_card(const CheckContext& context, const Role& role, int64_t most,
                   const std::string& evidence) {
  Finding finding = of_key(
      context.config, role.budget_key, Severity::error, FindingCode::budget_above_card, evidence,
      fmt::format("{}: {}, or data.memory_isolation: false", role.budget_key, most));
  return with_fix(std::move(finding), context.config, most);
}

void find_large(const CheckContext& context, const Role& role, std::vector<Finding>& findings) {
  const Device device = device_of(context, role);
  if (device.is_cpu() || !context.platform.has(device)) return;
  const int64_t asked = context.config.integer(role.budget_key);
  const int64_t card = card_megabytes(context, device);
  if (asked <= card) return;
  findings.push_back(above_card(context, role, card,
                                fmt::format("{} is {} MB, but {} has {} MB", role.budget_key, asked,
                                            device::to_string(device), card)));
}

/// Both roles on one card: the data role's budget stays, the model's is what is left.
void find_large_sum(const CheckContext& context, std::vector<Finding>& findings) {
  const Device device = device_of(context, kModel);
  if (device.is_cpu() || device != device_of(context, kData)) return;
  const int64_t data = context.config.integer(kData.budget_key);
  const int64_t model = context.config.integer(kModel.budget_key);
  const int64_t card = card_megabytes(context, device);
  if (data + model <= card || data >= card) return;
  findings.push_back(above_card(context, kModel, card - data,
                                fmt::format("both budgets are {} MB together, but {} has {} MB",
                                            data + model, device::to_string(device), card)));
}

std::string budgets_text(const CheckContext& context) {
  const config::Config& config = context.config;
  if (!config.boolean("data.memory_isolation"))
    return "no budgets bind (data.memory_isolation is off)";
  return fmt::format("budgets {} MB and {} MB", config.integer(kData.budget_key),
                     config.integer(kModel.budget_key));
}

std::string link_text(const CheckContext& context, Device a, Device b) {
  const auto first = find_gpu(context.monitor, context.platform.properties(a).pci_bus_id);
  const auto second = find_gpu(context.monitor, context.platform.properties(b).pci_bus_id);
  if (!first || !second) return "link not known";
  return "link " + to_string(context.monitor.link(*first, *second));
}

}  // namespace

Device CheckContext::model_device() const {
  if (!config.is_auto(kModel.device_key))
    return device::parse_device(config.text(kModel.device_key));
  return has_gpu() ? device::cuda(0) : device::kCpu;
}

Check check_gpu(const CheckContext& context) {
  if (!context.has_gpu()) {
    const bool asked = names_gpu(context.config);
    return judged(kGpu,
                  {of_machine(asked ? Severity::error : Severity::warning, FindingCode::no_gpu,
                              "no GPU: " + context.platform.cuda_absence(),
                              asked ? "data.data_gpu: auto, data.model_gpu: auto, or a machine "
                                      "with a GPU"
                                    : "train on a machine with a GPU, or expect a CPU's speed")},
                  "");
  }
  std::vector<std::string> parts;
  for (const Device device : context.platform.devices()) {
    if (device.is_cuda()) parts.push_back(gpu_text(context.platform, device));
  }
  parts.push_back(driver_text(context.monitor.driver()));
  std::vector<Finding> findings;
  if (const std::string absence = context.monitor.absence(); !absence.empty()) {
    findings.push_back(
        of_machine(Severity::warning, FindingCode::no_gpu_monitor,
                   "the GPU's driver cannot be asked: " + absence,
                   "install the driver's libnvidia-ml.so.1; until then utilisation is not known"));
  }
  return judged(kGpu, std::move(findings), fmt::format("{}", fmt::join(parts, "; ")));
}

Check check_roles(const CheckContext& context) {
  std::vector<Finding> findings;
  for (const Role& role : kBoth)
    find_missing(context, role, findings);
  if (context.config.boolean("data.memory_isolation")) {
    for (const Role& role : kBoth)
      find_large(context, role, findings);
    if (findings.empty()) find_large_sum(context, findings);
  }
  return judged(
      kRoles, std::move(findings),
      fmt::format("data on {}, model on {}; {}", device::to_string(device_of(context, kData)),
                  device::to_string(device_of(context, kModel)), budgets_text(context)));
}

Check check_peers(const CheckContext& context) {
  const Device data = device_of(context, kData);
  const Device model = device_of(context, kModel);
  if (!context.platform.has(data) || !context.platform.has(model))
    return not_measured(kPeers, "a device is missing", "see roles and budgets");
  if (data == model) return passed(kPeers, "one device has both roles: nothing to reach");
  if (data.is_cpu() || model.is_cpu()) return passed(kPeers, "the host reaches every GPU");
  const std::string link = fmt::format("{} to {}: {}", device::to_string(data),
                                       device::to_string(model), link_text(context, data, model));
  if (context.platform.can_reach(data, model)) return passed(kPeers, link + ", reached directly");
  return judged(kPeers,
                {of_machine(Severity::warning, FindingCode::no_peer_access,
                            link + ", not reached directly: batches go through the host",
                            "use two GPUs of one PCIe switch or with NVLink (nvidia-smi topo -m), "
                            "or one GPU for both roles")},
                "");
}

}  // namespace seda::diagnose
