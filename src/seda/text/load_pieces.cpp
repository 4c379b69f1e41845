// SPDX-License-Identifier: Apache-2.0
#include "seda/base/own_library.h"
#include "seda/text/pieces.h"

namespace seda::text {

const PieceLibrary& piece_library() {
  static const auto& library =
      open_own_library<PieceLibrary>("libseda_pieces.so", "seda_piece_library", kPieceInterface);
  return library;
}

}  // namespace seda::text
