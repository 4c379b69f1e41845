// SPDX-License-Identifier: Apache-2.0
#include "seda/text/pieces.h"
#include "seda/text/tokenizer.h"

namespace seda::text {
namespace {

/// Piece n of the model is token kFirstToken + n, whatever special pieces the model has.
class PieceTokenizer final : public Tokenizer {
 public:
  PieceTokenizer(std::unique_ptr<PieceModel> pieces, std::string model, bool add_blank)
      : Tokenizer(TokenizerKind::sentencepiece, add_blank, pieces->vocabulary(), std::move(model)),
        pieces_(std::move(pieces)) {}

 private:
  Encoded encode_symbols(std::string_view text) const override {
    Encoded out;
    for (auto& piece : pieces_->encode(text)) {
      out.tokens.push_back(piece.unknown ? kUnknownToken : kFirstToken + piece.id);
      if (piece.unknown) out.unknown.push_back(std::move(piece.text));
    }
    return out;
  }

  std::unique_ptr<PieceModel> pieces_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_piece_tokenizer(std::string model, bool add_blank,
                                                const std::string& where) {
  auto pieces = piece_library().load(model, where);
  return std::make_unique<PieceTokenizer>(std::move(pieces), std::move(model), add_blank);
}

}  // namespace seda::text
