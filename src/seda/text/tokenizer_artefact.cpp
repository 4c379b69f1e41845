// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_whole.h"
#include "seda/text/tokenizer.h"

namespace seda::text {
namespace {

constexpr int kArtefactVersion = 1;
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string to_hex(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    out += kHexDigits[static_cast<unsigned char>(byte) >> 4];
    out += kHexDigits[static_cast<unsigned char>(byte) & 15];
  }
  return out;
}

std::string from_hex(std::string_view digits, const std::string& where) {
  std::string out;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    const size_t high = kHexDigits.find(digits[i]);
    const size_t low = kHexDigits.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) {
      throw_error(ErrorKind::io, "{}: expected hexadecimal digits in 'model'", where);
    }
    out += static_cast<char>(high << 4 | low);
  }
  return out;
}

template <typename T>
T field(const Json& artefact, const char* name, const std::string& where) {
  try {
    const Json& found = artefact.at(name);
    if (std::is_same_v<T, int> && !is_whole<int>(found)) {
      throw_error(ErrorKind::io,
                  "{}: expected a whole number in the tokenizer's field '{}', found {}", where,
                  name, found.dump());
    }
    return found.get<T>();
  } catch (const Json::exception&) {
    throw_error(ErrorKind::io, "{}: expected a tokenizer with the field '{}'", where, name);
  }
}

std::unique_ptr<Tokenizer> rebuild(const Json& artefact, const std::string& where) {
  const auto kind = tokenizer_kind(field<std::string>(artefact, "kind", where));
  const auto blank = field<bool>(artefact, "add_blank", where);
  if (kind == TokenizerKind::sentencepiece) {
    return make_piece_tokenizer(from_hex(field<std::string>(artefact, "model", where), where),
                                blank, where);
  }
  auto symbols = field<std::vector<std::string>>(artefact, "symbols", where);
  if (symbols.size() < kFirstToken) {
    throw_error(ErrorKind::io, "{}: expected a table of more than {} symbols, found {}", where,
                kFirstToken, symbols.size());
  }
  symbols.erase(symbols.begin(), symbols.begin() + kFirstToken);
  return make_symbol_tokenizer(kind, symbols, blank);
}

}  // namespace

Json Tokenizer::artefact() const {
  Json out = {{"version", kArtefactVersion},
              {"kind", to_string(kind_)},
              {"add_blank", add_blank_},
              {"hash", hash_.hex()},
              {"symbols", symbols_}};
  if (!model_.empty()) out["model"] = to_hex(model_);
  return out;
}

std::unique_ptr<Tokenizer> read_tokenizer(const Json& artefact, const std::string& where) {
  const int version = field<int>(artefact, "version", where);
  if (version > kArtefactVersion) {
    throw_error(ErrorKind::io,
                "{}: tokenizer of a newer seda (version {}; this one reads up to {}); update seda",
                where, version, kArtefactVersion);
  }
  auto tokenizer = rebuild(artefact, where);
  const auto told = field<std::string>(artefact, "hash", where);
  if (told != tokenizer->hash().hex()) {
    throw_error(ErrorKind::io, "{}: tokenizer damaged: its hash is {}, its content gives {}", where,
                told, tokenizer->hash().hex());
  }
  return tokenizer;
}

}  // namespace seda::text
