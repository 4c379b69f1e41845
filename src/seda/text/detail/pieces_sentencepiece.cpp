// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include <fmt/format.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include "seda/base/error.h"
#include "seda/text/pieces.h"

namespace seda::text {
namespace {

/// Hands the lines to the trainer one by one.
class Lines final : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(const std::vector<std::string_view>& lines) : lines_(lines) { copy(); }

  bool done() const override { return at_ >= lines_.size(); }
  void Next() override {  // NOLINT(readability-identifier-naming): the library's name
    ++at_;
    copy();
  }
  const std::string& value() const override { return current_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  void copy() {
    if (!done()) current_ = lines_[at_];
  }

  const std::vector<std::string_view>& lines_;
  size_t at_ = 0;
  std::string current_;
};

class Model final : public PieceModel {
 public:
  Model(std::string_view bytes, const std::string& where) {
    const auto status = processor_.LoadFromSerializedProto({bytes.data(), bytes.size()});
    if (!status.ok()) {
      throw_error(ErrorKind::io, "{}: expected a SentencePiece model: {}", where,
                  status.ToString());
    }
  }

  std::vector<Piece> encode(std::string_view text) const override {
    std::vector<Piece> pieces;
    std::vector<std::string> surfaces;
    std::vector<int> ids;
    if (!processor_.Encode({text.data(), text.size()}, &surfaces).ok() ||
        !processor_.Encode({text.data(), text.size()}, &ids).ok()) {
      return pieces;
    }
    pieces.reserve(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      const bool unknown = processor_.IsUnknown(ids[i]);
      pieces.push_back({ids[i], unknown, unknown ? surfaces[i] : std::string()});
    }
    return pieces;
  }

  std::vector<std::string> vocabulary() const override {
    std::vector<std::string> pieces;
    pieces.reserve(static_cast<size_t>(processor_.GetPieceSize()));
    for (int i = 0; i < processor_.GetPieceSize(); ++i)
      pieces.push_back(processor_.IdToPiece(i));
    return pieces;
  }

 private:
  sentencepiece::SentencePieceProcessor processor_;
};

class SentencePieceLibrary final : public PieceLibrary {
 public:
  std::unique_ptr<PieceModel> load(std::string_view model,
                                   const std::string& where) const override {
    return std::make_unique<Model>(model, where);
  }

  std::string train(const std::vector<std::string_view>& lines, int size) const override {
    Lines sentences(lines);
    std::string model;
    const auto status =
        sentencepiece::SentencePieceTrainer::Train(settings(size), &sentences, &model);
    if (!status.ok()) {
      throw_error(ErrorKind::config,
                  "cannot learn {} pieces from {} lines: {}; lower data.text.vocabulary_size, or "
                  "choose another data.text.tokenizer",
                  size, lines.size(), status.ToString());
    }
    return model;
  }

 private:
  static std::unordered_map<std::string, std::string> settings(int size) {
    return {{"model_type", "unigram"},
            {"vocab_size", std::to_string(size)},
            {"hard_vocab_limit", "false"},
            {"character_coverage", "1.0"},
            {"normalization_rule_name", "identity"},
            {"add_dummy_prefix", "false"},
            {"bos_id", "-1"},
            {"eos_id", "-1"},
            {"pad_id", "-1"},
            {"unk_id", "0"},
            // Part of the result: fixed, so that every machine learns the same.
            {"num_threads", "4"},
            {"minloglevel", "2"}};
  }
};

}  // namespace
}  // namespace seda::text

extern "C" __attribute__((visibility("default"))) const seda::text::PieceLibrary*
seda_piece_library(int interface) {
  static const seda::text::SentencePieceLibrary library;
  return interface == seda::text::kPieceInterface ? &library : nullptr;
}
