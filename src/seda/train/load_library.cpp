// SPDX-License-Identifier: Apache-2.0
#include "seda/train/load_library.h"

#include "seda/base/build_info.h"
#include "seda/base/error.h"
#include "seda/base/own_library.h"
#include "seda/base/shared_library.h"

namespace seda::train {
namespace {

/// Loaded first, by full path: the trainer then finds them by name, wherever torch lies.
void load_torch(const TorchLocation& torch) {
  const auto load = [&](const char* name) {
    const auto path = torch.folder / "torch/lib" / name;
    SharedLibrary(path.string(), SharedLibrary::Visibility::global).keep();
  };
  load("libc10.so");
  load("libtorch_cpu.so");
  if (build_info().cuda.empty()) return;
  if (!std::filesystem::exists(torch.folder / "torch/lib/libtorch_cuda.so")) {
    throw_error(
        ErrorKind::unavailable,
        "torch {} in {} has no CUDA libraries and this seda was built with CUDA {}: install "
        "torch with CUDA, or build seda with CUDA=OFF",
        torch.version, torch.folder.string(), build_info().cuda);
  }
  load("libc10_cuda.so");
  load("libtorch_cuda.so");
}

}  // namespace

const Library& load_library(const TorchLocation& torch) {
  load_torch(torch);
  return open_own_library<Library>("libseda_train.so", "seda_train_library", kLibraryInterface);
}

const Library& load_library() {
  const auto found = find_torch(TorchSearch::of_this_process());
  if (const auto* missing = std::get_if<TorchMissing>(&found)) {
    throw Error(ErrorKind::unavailable, missing->reason);
  }
  return load_library(std::get<TorchLocation>(found));
}

}  // namespace seda::train
