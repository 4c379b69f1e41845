// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seda::text {

/// A learned vocabulary of word pieces. Thread-safe.
class PieceModel {
 public:
  virtual ~PieceModel() = default;

  struct Piece {
    int id = 0;
    bool unknown = false;
    std::string text;  ///< What it stands for in the line; filled where unknown.
  };
  virtual std::vector<Piece> encode(std::string_view text) const = 0;

  virtual std::vector<std::string> vocabulary() const = 0;
};

/// SentencePiece, behind an interface that needs none of its headers.
///
/// Lives in libseda_pieces.so, opened on demand: most runs have no use for it, and it would double
/// the time a program takes to start.
class PieceLibrary {
 public:
  virtual ~PieceLibrary() = default;

  /// Reads a model; bytes that are none are an Error(io) that names `where`.
  virtual std::unique_ptr<PieceModel> load(std::string_view model,
                                           const std::string& where) const = 0;

  /// Learns about `size` pieces from the lines; returns the model's bytes, the same for the same
  /// lines. Too few lines to learn from is an Error(config).
  virtual std::string train(const std::vector<std::string_view>& lines, int size) const = 0;
};

/// Both sides of the border are compiled with this number; it changes with anything in this header.
inline constexpr int kPieceInterface = 1;

/// Opens the library beside the program. An Error(unavailable) says what is missing.
const PieceLibrary& piece_library();

}  // namespace seda::text
