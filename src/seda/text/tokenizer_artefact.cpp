// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_object.h"
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

std::unique_ptr<Tokenizer> rebuild(const JsonObject& artefact, const std::string& where) {
  const auto kind = tokenizer_kind(artefact.get<std::string>("kind"));
  const auto blank = artefact.get<bool>("add_blank");
  if (kind == TokenizerKind::sentencepiece) {
    return make_piece_tokenizer(from_hex(artefact.get<std::string>("model"), where), blank, where);
  }
  auto symbols = artefact.get<std::vector<std::string>>("symbols");
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

std::unique_ptr<Tokenizer> read_tokenizer(const Json& description, const std::string& where) {
  const JsonObject artefact(description, where + ": tokenizer");
  const int version = artefact.get<int>("version");
  if (version > kArtefactVersion) {
    throw_error(ErrorKind::io,
                "{}: tokenizer of a newer seda (version {}; this one reads up to {}); update seda",
                where, version, kArtefactVersion);
  }
  auto tokenizer = rebuild(artefact, where);
  const auto told = artefact.get<std::string>("hash");
  if (told != tokenizer->hash().hex()) {
    throw_error(ErrorKind::io, "{}: tokenizer damaged: its hash is {}, its content gives {}", where,
                told, tokenizer->hash().hex());
  }
  return tokenizer;
}

}  // namespace seda::text
