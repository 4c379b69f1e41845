// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/build_info.h"
#include "seda/base/cpu.h"
#include "seda/base/error.h"
#include "seda/cli/devices.h"
#include "seda/cli/output.h"
#include "seda/train/load_library.h"

namespace seda::cli {
namespace {

struct VersionFlags {
  bool asked = false;
  bool json = false;
  bool verbose = false;
};

Json torch_json() {
  const auto found = train::find_torch(train::TorchSearch::of_this_process());
  if (const auto* missing = std::get_if<train::TorchMissing>(&found)) {
    return {{"found", false}, {"reason", missing->reason}};
  }
  const auto& torch = std::get<train::TorchLocation>(found);
  return {{"found", true},
          {"version", torch.version},
          {"folder", torch.folder.string()},
          {"found_by", torch.found_by}};
}

/// Loads torch and computes with it: the only proof that it works here.
Json tried_torch_json() {
  try {
    const train::Library& library = train::load_library();
    const train::TorchInfo info = library.torch_info();
    Json out = {{"works", true},
                {"version", info.version},
                {"threads", info.threads},
                {"cuda_devices", info.cuda_devices},
                {"cuda_version", info.cuda_version},
                {"cudnn_version", info.cudnn_version},
                {"gradient_error_cpu", library.gradient_error("cpu")}};
    if (info.cuda_devices > 0) out["gradient_error_cuda"] = library.gradient_error("cuda:0");
    return out;
  } catch (const Error& error) {
    return {{"works", false}, {"reason", error.what()}};
  }
}

Json version_json(bool verbose) {
  const BuildInfo& build = build_info();
  const CpuInfo cpu = cpu_info();
  Json out = {{"version", build.version},
              {"commit", build.commit},
              {"compiler", build.compiler},
              {"build_type", build.type},
              {"cuda", build.cuda.empty() ? Json() : Json(build.cuda)},
              {"cuda_architectures", build.cuda_architectures},
              {"simd", cpu.simd},
              {"cpu", cpu.model},
              {"torch", torch_json()}};
  if (verbose) {
    out["torch"]["tried"] = tried_torch_json();
    out["devices"] = devices_json();
  }
  return out;
}

std::string torch_text(const Json& torch) {
  if (!torch["found"].get<bool>()) return "none: " + torch["reason"].get<std::string>();
  return fmt::format("{} in {} ({})", torch["version"].get<std::string>(),
                     torch["folder"].get<std::string>(), torch["found_by"].get<std::string>());
}

std::string tried_text(const Json& tried) {
  if (!tried["works"].get<bool>()) return "does not load: " + tried["reason"].get<std::string>();
  std::string text = fmt::format("loads; {} threads, {} GPU(s); gradient error {:.1e} on the CPU",
                                 tried["threads"].get<int>(), tried["cuda_devices"].get<int>(),
                                 tried["gradient_error_cpu"].get<double>());
  if (tried.contains("gradient_error_cuda")) {
    text += fmt::format(", {:.1e} on cuda:0", tried["gradient_error_cuda"].get<double>());
  }
  return text;
}

std::string version_text(const Json& version, bool verbose) {
  const auto word = [&](const char* key) { return version[key].get<std::string>(); };
  std::string text = fmt::format("seda {} (commit {})\n", word("version"), word("commit"));
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<10}{}\n", name, value);
  };
  line("compiler", word("compiler") + ", " + word("build_type"));
  line("CUDA", version["cuda"].is_null()
                   ? "none: built without a toolkit"
                   : fmt::format("{} for {}", word("cuda"), word("cuda_architectures")));
  line("SIMD", fmt::format("{} ({})", word("simd"), word("cpu")));
  line("torch", torch_text(version["torch"]));
  if (!verbose) return text;
  line("", tried_text(version["torch"]["tried"]));
  for (const Json& device : version["devices"])
    line("device", device_text(device));
  return text;
}

void print_version(const VersionFlags& flags) {
  const Json version = version_json(flags.verbose);
  if (flags.json) {
    print_json(version);
  } else {
    print(version_text(version, flags.verbose));
  }
}

}  // namespace

void add_version(CLI::App& app) {
  const auto flags = std::make_shared<VersionFlags>();
  CLI::Option* version =
      app.add_flag("--version", flags->asked, "commit, compiler, CUDA, SIMD level, torch");
  app.add_flag("--json", flags->json, "--version as one JSON object")->needs(version);
  app.add_flag("-v,--verbose", flags->verbose, "with --version: try torch and list the devices")
      ->needs(version);
  app.final_callback([&app, flags] {
    if (!app.get_subcommands().empty()) return;
    if (!flags->asked) throw_error(ErrorKind::usage, "no verb given\n\n{}", app.help());
    print_version(*flags);
  });
}

}  // namespace seda::cli
