// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/load_voices.h"

#include "seda/base/error.h"
#include "seda/base/program.h"
#include "seda/base/shared_library.h"

namespace seda::corpus {
namespace {

const VoicesLibrary& open_voices() {
  SharedLibrary library((program_root() / "lib/libseda_voices.so").string());
  library.keep();
  const auto entry = library.function<const VoicesLibrary*(int)>("seda_voices_library");
  const VoicesLibrary* voices = entry == nullptr ? nullptr : entry(kVoicesInterface);
  if (voices == nullptr) {
    throw_error(ErrorKind::unavailable,
                "libseda_voices.so beside this program is of another seda; expected interface {}: "
                "install program and library together",
                kVoicesInterface);
  }
  return *voices;
}

}  // namespace

const VoicesLibrary& load_voices() {
  static const VoicesLibrary& voices = open_voices();
  return voices;
}

}  // namespace seda::corpus
