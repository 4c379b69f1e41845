// SPDX-License-Identifier: Apache-2.0
#include "seda/train/busy_time.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string_view>

#include <cxxabi.h>

namespace seda::train {
namespace {

constexpr size_t kLongestName = 100;

/// Of what the compiler wrote; others would be taken for types ("a" for signed char).
std::string readable(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> found(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return found == nullptr ? name : found.get();
}

void remove_all(std::string& text, std::string_view part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

/// Where the parameters begin: at the first bracket that no template argument holds.
size_t parameters_of(std::string_view name) {
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0) return i;
  }
  return name.size();
}

std::vector<KernelTime> times_by_name(const std::vector<KernelSpan>& kernels) {
  std::map<std::string_view, KernelTime> times;
  for (const KernelSpan& kernel : kernels) {
    KernelTime& time = times[kernel.name];
    ++time.count;
    time.seconds += 1e-9 * static_cast<double>(kernel.end_ns - kernel.begin_ns);
  }
  std::vector<KernelTime> out;
  out.reserve(times.size());
  for (const auto& [name, time] : times)
    out.push_back({short_kernel_name(std::string(name)), time.count, time.seconds});
  std::ranges::sort(out, std::ranges::greater(), &KernelTime::seconds);
  return out;
}

}  // namespace

std::string short_kernel_name(const std::string& name) {
  std::string out = readable(name);
  for (const std::string_view part :
       {"void ", "(anonymous namespace)::", "at::native::", "at::", "c10::", "detail::"})
    remove_all(out, part);
  out.resize(parameters_of(out));
  if (out.size() > kLongestName) out = out.substr(0, kLongestName - 3) + "...";
  return out;
}

BusyTime busy_time(std::vector<KernelSpan> kernels) {
  if (kernels.empty()) return {};
  std::ranges::sort(kernels, {}, &KernelSpan::begin_ns);
  uint64_t busy_ns = 0;
  uint64_t end_ns = kernels.front().begin_ns;
  for (const KernelSpan& kernel : kernels) {
    if (kernel.end_ns <= end_ns) continue;
    busy_ns += kernel.end_ns - std::max(kernel.begin_ns, end_ns);
    end_ns = kernel.end_ns;
  }
  return {.busy_s = 1e-9 * static_cast<double>(busy_ns),
          .seconds = 1e-9 * static_cast<double>(end_ns - kernels.front().begin_ns),
          .kernels = kernels.size(),
          .steps = 0,
          .by_name = times_by_name(kernels)};
}

}  // namespace seda::train
