// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/key_builder.h"
#include "seda/config/detail/schema_parts.h"

namespace seda::config::detail {
namespace {

constexpr const char* kFromPreset = "from the preset";

std::vector<Key> audio_keys() {
  return {
      boolean("data.audio.trim_silence", false).means("Cut silence from both ends of a clip."),
      number("data.audio.silence_threshold", 40)
          .range(10, 120)
          .unit("dB below the loudest 20 ms")
          .means("Quieter than this is silence."),
      number("data.audio.trim_margin", 0.05)
          .range(0, 10)
          .unit("s")
          .means("Silence that is kept at each end."),
      number("data.audio.loudness")
          .none("none; clips stay as loud as they are")
          .range(-70, 0)
          .unit("LUFS")
          .means("Bring every clip to this loudness."),
      number("data.audio.peak")
          .none("none; clips stay as loud as they are")
          .range(-60, 0)
          .unit("dBFS")
          .means("Bring every clip's largest sample to this level; not with loudness."),
      choice("data.audio.resample_quality", "high")
          .one_of({"fast", "high", "best"})
          .means("Quality of the sample rate conversion."),
  };
}

std::vector<Key> frame_keys() {
  return {
      choice("data.mel.preset", "hifigan")
          .one_of({"hifigan", "tacotron2", "fullband"})
          .means("The mel definition; the keys below change parts of it."),
      integer("data.mel.sample_rate")
          .automatic(kFromPreset)
          .range(8000, 192000)
          .unit("Hz")
          .means("Sample rate that clips are converted to."),
      integer("data.mel.n_fft")
          .automatic(kFromPreset)
          .range(64, 16384)
          .unit("samples")
          .means("Length of the Fourier transform."),
      integer("data.mel.hop_length")
          .automatic(kFromPreset)
          .range(1, 16384)
          .unit("samples")
          .means("Distance between frames."),
      integer("data.mel.win_length")
          .automatic(kFromPreset)
          .range(2, 16384)
          .unit("samples")
          .means("Length of the window."),
      boolean("data.mel.center").automatic(kFromPreset).means("Frames are centred on their time."),
  };
}

std::vector<Key> band_keys() {
  return {
      integer("data.mel.n_mels")
          .automatic(kFromPreset)
          .range(8, 512)
          .unit("bands")
          .means("Number of mel bands."),
      number("data.mel.fmin")
          .automatic(kFromPreset)
          .at_least(0)
          .at_most(96000)
          .unit("Hz")
          .means("Lower edge of the lowest band."),
      number("data.mel.fmax")
          .automatic(kFromPreset)
          .above(0)
          .at_most(96000)
          .unit("Hz")
          .means("Upper edge of the highest band."),
      choice("data.mel.filterbank")
          .automatic(kFromPreset)
          .one_of({"slaney", "htk"})
          .means("Mel scale and norm of the bands."),
      number("data.mel.power")
          .automatic(kFromPreset)
          .above(0)
          .at_most(4)
          .means("Exponent of the magnitude: 1 magnitude, 2 power."),
      choice("data.mel.compression")
          .automatic(kFromPreset)
          .one_of({"log", "log10"})
          .means("Logarithm of the bands: natural or decimal."),
      number("data.mel.floor")
          .automatic(kFromPreset)
          .above(0)
          .at_most(1)
          .means("Smallest value before the logarithm."),
  };
}

std::vector<Key> text_keys() {
  return {
      text("data.text.language")
          .automatic("detected line by line")
          .means("Language of the text, as a code: en, fa, de."),
      list("data.text.cleaners")
          .automatic("all that suit the language")
          .one_of({"unicode", "emoji", "letters", "urls", "abbreviations", "roman", "numbers",
                   "acronyms", "symbols", "punctuation", "lowercase", "whitespace"})
          .means("Steps of text normalisation, in this order."),
      choice("data.text.diacritics", "keep")
          .one_of({"keep", "remove"})
          .means("Vowel marks of Arabic and Persian script."),
      boolean("data.text.phonemes", true).means("Speak in phonemes; off: in letters."),
      choice("data.text.tokenizer")
          .automatic("phonemes where data.text.phonemes is on, else characters")
          .one_of({"characters", "phonemes", "sentencepiece"})
          .means("What a token is."),
      folder("data.text.tokenizer_model")
          .automatic("learned from the corpus")
          .means("A SentencePiece model for the sentencepiece tokenizer."),
      integer("data.text.vocabulary_size", 512)
          .range(32, 65536)
          .unit("pieces")
          .means("Size of the vocabulary that the sentencepiece tokenizer learns."),
      boolean("data.text.add_blank", true).means("Put a blank between tokens."),
  };
}

}  // namespace

std::vector<Key> feature_keys() {
  return join({audio_keys, frame_keys, band_keys, text_keys});
}

}  // namespace seda::config::detail
