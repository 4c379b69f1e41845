// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/cache_source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/feed/audio_record.h"
#include "seda/feed/previous.h"
#include "seda/feed/text_record.h"

namespace seda::feed {
namespace {

cache::Cache open_cache(const std::filesystem::path& folder, const cache::OpenOptions& options) {
  auto cache = cache::Cache::open(folder, options);
  if (cache) return std::move(*cache);
  throw_error(ErrorKind::io, "{}: expected a cache, found none; run `seda prepare`",
              folder.string());
}

Listing open_listing(const cache::Cache& cache, const Hash128& fingerprint) {
  const cache::Table* table = cache.find_table(kListingTable, fingerprint);
  auto listing = table != nullptr ? Listing::read(*table) : std::nullopt;
  if (listing) return std::move(*listing);
  throw_error(ErrorKind::io, "{}: expected the listing {}, found none; run `seda prepare`",
              cache.folder().string(), fingerprint.hex());
}

const cache::Table* require_table(const cache::Cache& cache, std::string_view name,
                                  const std::string& fingerprint) {
  if (const cache::Table* table = find_listed(cache, name, fingerprint)) return table;
  throw_error(ErrorKind::io,
              "{}: expected the table '{}' that its listing names, found none; run `seda prepare`",
              cache.folder().string(), name);
}

AudioKind kind_of(const cache::Table& sounds) {
  const std::string mel(to_string(AudioKind::mel));
  return sounds.description().value("kind", mel) == mel ? AudioKind::mel : AudioKind::pcm16;
}

/// One record of a clip: in the mapped cache, or in a buffer that is kept from clip to clip.
class Piece {
 public:
  std::optional<Fault> view(const cache::Table& table, cache::Address address) {
    auto record = table.read(address);
    if (!record) return record.fault();
    entry_ = record.value().entry;
    bytes_ = record.value().bytes;
    return std::nullopt;
  }

  std::optional<Fault> copy(const cache::Table& table, cache::Address address) {
    const auto entry = table.entry(address);
    if (!entry) return entry.fault();
    entry_ = entry.value();
    if (buffer_.size() < entry_.size) buffer_.resize(entry_.size);
    const auto copied = table.copy(address, buffer_);
    if (!copied) return copied.fault();
    bytes_ = std::span(buffer_).first(entry_.size);
    return std::nullopt;
  }

  const cache::Entry& entry() const { return entry_; }
  std::span<const std::byte> bytes() const { return bytes_; }

  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

 private:
  cache::Entry entry_;
  std::span<const std::byte> bytes_;
  std::vector<std::byte> buffer_;
};

Fault damaged(std::string evidence) {
  return {"", "cache_damaged", std::move(evidence)};
}

}  // namespace

class CacheSource::Reader final : public ClipReader {
 public:
  explicit Reader(const CacheSource& source) : source_(source) {}

  std::optional<Fault> fetch(uint32_t row) override {
    row_ = row;
    const ClipRow& clip = source_.rows()[row];
    if (auto fault = load(text_, *source_.texts_, clip.text(), clip.text_key)) return named(*fault);
    if (auto fault = load(sound_, *source_.sounds_, clip.audio(), clip.audio_key))
      return named(*fault);
    return std::nullopt;
  }

  Result<ClipContent> content() override {
    ClipContent out;
    if (auto fault = take_tokens(out)) return named(*fault);
    if (auto fault = take_sound(out)) return named(*fault);
    return out;
  }

 private:
  std::optional<Fault> load(Piece& piece, const cache::Table& table, cache::Address address,
                            const cache::Key& key) const {
    auto fault = source_.mapped_ ? piece.view(table, address) : piece.copy(table, address);
    if (!fault && piece.entry().key != key) {
      fault = damaged(fmt::format("table '{}': expected the record {}, found {}", table.name(),
                                  key.hex(), piece.entry().key.hex()));
    }
    return fault;
  }

  std::optional<Fault> take_tokens(ClipContent& out) const {
    const ClipRow& clip = source_.rows()[row_];
    const auto tokens = text_tokens(text_.bytes());
    if (!tokens) return damaged("its text is no record of a text");
    if (tokens->size() != clip.tokens) {
      return damaged(
          fmt::format("its text has {} tokens, its listing says {}", tokens->size(), clip.tokens));
    }
    out.tokens = *tokens;
    return std::nullopt;
  }

  std::optional<Fault> take_sound(ClipContent& out) const {
    const auto shape = audio_shape(sound_.entry());
    if (!shape) return damaged("its sound is no record of a sound");
    if (shape->is_fault()) {
      const auto fault = decode_fault_record(sound_.bytes());
      return fault ? *fault : damaged("its sound is no record of a sound");
    }
    if (auto fault = check_shape(*shape)) return fault;
    if (source_.kind_ == AudioKind::pcm16) {
      out.samples = sound_.as<int16_t>();
    } else {
      out.mel = sound_.as<float>();
      out.mel_frames = static_cast<int>(shape->frames);
    }
    return std::nullopt;
  }

  std::optional<Fault> check_shape(const AudioShape& shape) const {
    const ClipRow& clip = source_.rows()[row_];
    const bool is_mel = source_.kind_ == AudioKind::mel;
    const int64_t frames =
        is_mel ? audio::mel_frames(source_.mel_, static_cast<int64_t>(clip.samples)) : 0;
    const uint32_t n_mels = is_mel ? static_cast<uint32_t>(source_.mel_.n_mels) : 0;
    if (shape.samples == clip.samples && shape.n_mels == n_mels && shape.frames == frames)
      return std::nullopt;
    return damaged(fmt::format(
        "its sound has {} samples and a mel of {} x {}, its listing says {} and {} x {}",
        shape.samples, shape.n_mels, shape.frames, clip.samples, n_mels, frames));
  }

  /// The cache knows records by their keys; people know clips by their ids.
  Fault named(const Fault& fault) const {
    return {std::string(source_.id(row_)), fault.code, fault.evidence};
  }

  const CacheSource& source_;
  uint32_t row_ = 0;
  Piece text_;
  Piece sound_;
};

CacheSource::CacheSource(const std::filesystem::path& folder, const Hash128& listing,
                         const cache::OpenOptions& options)
    : cache_(open_cache(folder, options)),
      listing_(open_listing(cache_, listing)),
      mapped_(options.memory_mapping),
      path_(mapped_ ? "cache (mapped)" : "cache (read)"),
      texts_(require_table(cache_, kText.table, listing_.info().text)),
      sounds_(require_table(cache_, kAudio.table, listing_.info().audio)),
      kind_(kind_of(*sounds_)),
      mel_(audio::read_mel_options(parse_json(listing_.info().mel, "the listing's mel"))),
      speakers_(rows().size(), [this](size_t i) { return listing_.string(rows()[i].speaker); }),
      languages_(rows().size(), [this](size_t i) { return listing_.string(rows()[i].language); }) {}

std::unique_ptr<ClipReader> CacheSource::make_reader() const {
  return std::make_unique<Reader>(*this);
}

}  // namespace seda::feed
