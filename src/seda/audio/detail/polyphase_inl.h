// SPDX-License-Identifier: Apache-2.0
// Samples as a matrix `[hop, columns]`: sample r + c · hop stands in row r, column c. Sample i of
// the frames t, t + 1, … is then one stretch of a row: row i % hop, from column t + i / hop on; so
// a vector with a frame in each lane is one load. Compiled once for each instruction set.
#if defined(SEDA_AUDIO_POLYPHASE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SEDA_AUDIO_POLYPHASE_INL_H_
#undef SEDA_AUDIO_POLYPHASE_INL_H_
#else
#define SEDA_AUDIO_POLYPHASE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "seda/audio/detail/mirror.h"

HWY_BEFORE_NAMESPACE();
namespace seda::audio::detail::HWY_NAMESPACE {

constexpr size_t kTile = 4;

using TileTag = hwy::HWY_NAMESPACE::FixedTag<float, kTile>;
using TileRow = hwy::HWY_NAMESPACE::Vec<TileTag>;

HWY_INLINE TileRow load_row(const float* at) {
  return hwy::HWY_NAMESPACE::LoadU(TileTag(), at);
}

HWY_INLINE TileRow load_row(const int16_t* at) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::Rebind<int16_t, TileTag> narrow;
  const hn::Rebind<int32_t, TileTag> wide;
  const TileRow row = hn::ConvertTo(TileTag(), hn::PromoteTo(wide, hn::LoadU(narrow, at)));
  return hn::Mul(row, hn::Set(TileTag(), 1.0F / 32768));
}

/// Four samples of each of four columns to four columns of each of four rows.
template <typename Sample>
HWY_INLINE void transpose_tile(const Sample* source, size_t hop, float* out, size_t columns) {
  namespace hn = hwy::HWY_NAMESPACE;
  const TileTag d;
  const TileRow a = load_row(source);
  const TileRow b = load_row(source + hop);
  const TileRow c = load_row(source + 2 * hop);
  const TileRow e = load_row(source + 3 * hop);
  const TileRow low_ab = hn::InterleaveLower(d, a, b);
  const TileRow low_ce = hn::InterleaveLower(d, c, e);
  const TileRow high_ab = hn::InterleaveUpper(d, a, b);
  const TileRow high_ce = hn::InterleaveUpper(d, c, e);
  hn::StoreU(hn::ConcatLowerLower(d, low_ce, low_ab), d, out);
  hn::StoreU(hn::ConcatUpperUpper(d, low_ce, low_ab), d, out + columns);
  hn::StoreU(hn::ConcatLowerLower(d, high_ce, high_ab), d, out + 2 * columns);
  hn::StoreU(hn::ConcatUpperUpper(d, high_ce, high_ab), d, out + 3 * columns);
}

/// Brings `hop · columns` samples into the matrix; `columns` is a multiple of kTile.
template <typename Sample>
HWY_NOINLINE void to_polyphase(const Sample* source, size_t hop, size_t columns, float* out) {
  const size_t tiled = hop - hop % kTile;
  for (size_t c = 0; c < columns; c += kTile) {
    for (size_t r = 0; r < tiled; r += kTile)
      transpose_tile(source + c * hop + r, hop, out + r * columns + c, columns);
  }
  for (size_t r = tiled; r < hop; ++r) {
    for (size_t c = 0; c < columns; ++c)
      out[r * columns + c] = to_float(source[c * hop + r]);
  }
}

}  // namespace seda::audio::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
