# SPDX-License-Identifier: Apache-2.0
"""What machines make of a sound: each judge takes sounds by id and gives a value for each."""
import statistics
import tempfile

import jiwer
import librosa
import numpy as np
import pocketsphinx
from resemblyzer import VoiceEncoder, preprocess_wav
from sounds import RATE, normalize
from speechmos import dnsmos

PADDING_S = 0.3  # of silence around a clip, as a recogniser expects
MEL = {"sr": RATE, "n_fft": 1024, "hop_length": 256, "n_mels": 80, "power": 1.0}
PITCH_HZ = (60, 400)
LEAST_VOICED = 10  # frames, for a range of pitches


class Recogniser:
    """What was said, as pocketsphinx hears it: with its en-us language model, or with a grammar of `words` alone. Levels are
    normalised within a clip, so that what it hears does not depend on the clip before."""

    def __init__(self, words=()):
        flags = {"samprate": RATE, "cmn": "batch", "loglevel": "FATAL"}
        with tempfile.NamedTemporaryFile("w", suffix=".gram") as file:
            if words:
                file.write(f"#JSGF V1.0;\ngrammar words;\npublic <line> = ( {' | '.join(words)} )+;\n")
                file.flush()
                flags |= {"jsgf": file.name, "lm": None}
            self.decoder = pocketsphinx.Decoder(**flags)

    def hear(self, samples):
        silence = np.zeros(int(PADDING_S * RATE), np.float32)
        sound = np.concatenate([silence, samples, silence])
        self.decoder.start_utt()
        self.decoder.process_raw((sound * 32767).astype(np.int16).tobytes(), full_utt=True)
        self.decoder.end_utt()
        heard = self.decoder.hyp()
        return normalize(heard.hypstr) if heard else ""

    def judge(self, sounds):
        return {name: self.hear(samples) for name, samples in sounds.items()}


def word_errors(texts, heard):
    wanted = [normalize(texts[name]) for name in heard]
    return {"word_error": jiwer.wer(wanted, list(heard.values())), "character_error": jiwer.cer(wanted, list(heard.values())),
            "words": sum(len(text.split()) for text in wanted)}


class Likeness:
    """Cosine of Resemblyzer's embedding with the mean of those of another voice's clips."""

    def __init__(self):
        self.encoder = VoiceEncoder("cpu", verbose=False)

    def embed(self, sounds):
        return {name: self.encoder.embed_utterance(preprocess_wav(samples, source_sr=RATE)) for name, samples in sounds.items()}

    @staticmethod
    def to_mean(vector, others):
        mean = np.mean(others, axis=0)
        return float(vector @ mean / np.linalg.norm(mean))

    def judge(self, speech, source):
        """Of speech with the source, and of each clip of the source with its others."""
        spoken, known = self.embed(speech), self.embed(source)
        of_speech = {name: self.to_mean(vector, list(known.values())) for name, vector in spoken.items()}
        of_source = {name: self.to_mean(vector, [other for key, other in known.items() if key != name])
                     for name, vector in known.items() if len(known) > 1}
        return of_speech, of_source


def quality(sounds):
    """DNSMOS, overall, 1 to 5."""
    return {name: float(dnsmos.run(samples, sr=RATE)["ovrl_mos"]) for name, samples in sounds.items()}


def pitch_ranges(sounds):
    """Semitones between the 5th and the 95th hundredth of a clip's pitches; none where hardly anything is voiced."""
    ranges = {}
    for name, samples in sounds.items():
        hertz = librosa.yin(samples, fmin=PITCH_HZ[0], fmax=PITCH_HZ[1], sr=RATE)
        loud = librosa.feature.rms(y=samples, frame_length=2048, hop_length=512)[0][:len(hertz)]
        inside = (hertz > PITCH_HZ[0] * 1.02) & (hertz < PITCH_HZ[1] * 0.98) & (loud > 0.1 * loud.max())
        voiced = hertz[inside]
        if len(voiced) >= LEAST_VOICED:
            low, high = np.percentile(12 * np.log2(voiced), [5, 95])
            ranges[name] = float(high - low)
    return ranges


def duration_errors(speech, source):
    """|log(spoken / recorded)|: 0.1 is a tenth longer or shorter."""
    return {name: abs(float(np.log(len(samples) / len(source[name])))) for name, samples in speech.items() if name in source}


def mel_of(samples):
    mel = librosa.amplitude_to_db(librosa.feature.melspectrogram(y=samples, **MEL), top_db=80)
    return mel - mel.mean()


def mel_distances(speech, source):
    """dB between log mels of the same line, along the best path through time; levels do not count."""
    distances = {}
    for name, samples in speech.items():
        if name in source:
            first, second = mel_of(samples), mel_of(source[name])
            path = librosa.sequence.dtw(first, second)[1]
            distances[name] = float(np.abs(first[:, path[:, 0]] - second[:, path[:, 1]]).mean())
    return distances


def mean(values):
    return statistics.fmean(values.values()) if values else None
