// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/base/program.h"
#include "seda/base/shared_library.h"
#include "seda/text/pieces.h"

namespace seda::text {
namespace {

const PieceLibrary& open_library() {
  SharedLibrary library((program_root() / "lib/libseda_pieces.so").string());
  library.keep();
  const auto entry = library.function<const PieceLibrary*(int)>("seda_piece_library");
  const PieceLibrary* pieces = entry == nullptr ? nullptr : entry(kPieceInterface);
  if (pieces == nullptr) {
    throw_error(ErrorKind::unavailable,
                "libseda_pieces.so beside this program is of another seda; expected interface {}: "
                "install program and library together",
                kPieceInterface);
  }
  return *pieces;
}

}  // namespace

const PieceLibrary& piece_library() {
  static const PieceLibrary& library = open_library();
  return library;
}

}  // namespace seda::text
