// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "seda/base/error.h"
#include "seda/base/utf8.h"
#include "seda/text/tokenizer.h"

namespace seda::text {
namespace {

class SymbolTokenizer final : public Tokenizer {
 public:
  SymbolTokenizer(TokenizerKind kind, const std::vector<std::string>& characters, bool add_blank)
      : Tokenizer(kind, add_blank, characters) {
    for (size_t i = kFirstToken; i < symbols().size(); ++i) {
      size_t at = 0;
      const char32_t character = decode_utf8(symbols()[i], at);
      const bool single = !symbols()[i].empty() && at == symbols()[i].size();
      if (!single || !ids_.emplace(character, static_cast<int32_t>(i)).second) {
        throw_error(ErrorKind::io,
                    "symbol {} of the table, '{}': expected one character that no other row has", i,
                    symbols()[i]);
      }
    }
  }

 private:
  Encoded encode_symbols(std::string_view text) const override {
    Encoded out;
    out.tokens.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
      const size_t begin = at;
      const auto found = ids_.find(decode_utf8(text, at));
      out.tokens.push_back(found == ids_.end() ? kUnknownToken : found->second);
      if (found == ids_.end()) out.unknown.emplace_back(text.substr(begin, at - begin));
    }
    return out;
  }

  std::unordered_map<char32_t, int32_t> ids_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_symbol_tokenizer(TokenizerKind kind,
                                                 const std::vector<std::string>& symbols,
                                                 bool add_blank) {
  return std::make_unique<SymbolTokenizer>(kind, symbols, add_blank);
}

}  // namespace seda::text
