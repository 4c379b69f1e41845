#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges speech by machines: how many words a recogniser hears wrong, how like another voice it sounds, how clean it is.

    bench/judge_speech.py --reference-text corpus/metadata.csv --wavs spoken
    bench/judge_speech.py --reference-text corpus/metadata.csv --wavs spoken --source-wavs corpus/wavs \\
        --similarity-to corpus/wavs --json

`--reference-text` has a line `id|text` for each wav `<id>.wav` (more columns do not matter; of a file without ids, line N
belongs to 000N.wav, as `seda synth --file` writes them).

- Word error: pocketsphinx with the en-us model that it brings, on 16 kHz; lower case, without punctuation. The same of
  `--source-wavs`, where given: what the recogniser hears wrong in the recordings is not the voice's fault.
- Similarity: cosine of Resemblyzer's embeddings, of each wav with the mean of those in `--similarity-to`.
- DNSMOS (speechmos): overall quality by a network, 1 to 5.

What is installed is used, and what is not is named. No network. A place for it all:

    python3 -m venv judge && judge/bin/pip install pocketsphinx jiwer soundfile soxr numpy
    judge/bin/pip install --no-deps resemblyzer && judge/bin/pip install librosa webrtcvad 'setuptools<81'
    judge/bin/pip install speechmos onnxruntime
    PYTHONPATH=~/.local/share/seda/torch-2.11.0 judge/bin/python bench/judge_speech.py ...
"""
import argparse
import json
import re
import statistics
import subprocess
import sys
import unicodedata
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
try:
    import numpy as np
    import soundfile
    import soxr
except ImportError as error:
    sys.exit(f"judge_speech: {error}; pip install numpy soundfile soxr")

RATE = 16000
SPELLINGS = {"mr": "mister", "mrs": "missus", "dr": "doctor", "st": "saint"}  # the recogniser's, as they are said
PADDING_S = 0.3  # of silence around a clip, as a recogniser expects


def read_sound(path):
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    return soxr.resample(samples.mean(axis=1), rate, RATE)


def read_texts(path):
    """By id; by number, where the lines have none."""
    texts = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8-sig").splitlines(), 1):
        if line.strip():
            columns = line.split("|")
            name, text = (columns[0], columns[1]) if len(columns) > 1 else (f"{number:04}", line)
            texts[name.strip()] = text.strip()
    return texts


def write_out(texts, seda):
    """Numbers and abbreviations as they are spoken."""
    made = subprocess.run([seda, "text", "--stage", "normalize", "--language", "en", "--quiet"], input="\n".join(texts.values()),
                          capture_output=True, text=True, check=True)
    return dict(zip(texts, made.stdout.splitlines(), strict=True))


def normalize(text):
    text = unicodedata.normalize("NFKC", text).lower().replace("’", "'").replace("-", " ")
    text = re.sub(r"[^\w\s']", " ", text)
    words = [word.strip("'") for word in text.split() if word.strip("'")]
    return " ".join(SPELLINGS.get(word, word) for word in words)


def list_wavs(folder, texts):
    found = {path.stem: path for path in sorted(Path(folder).rglob("*.wav"))}
    missing = [name for name in texts if name not in found]
    if missing:
        print(f"judge_speech: {folder}: no wav for {len(missing)} of {len(texts)} texts: {', '.join(missing[:5])}",
              file=sys.stderr)
    return {name: found[name] for name in texts if name in found}


class Recogniser:
    """What was said, as pocketsphinx hears it. Batch normalisation: what it hears in a clip does not depend on the one
    before."""

    def __init__(self):
        import jiwer
        import pocketsphinx

        self.jiwer = jiwer
        self.decoder = pocketsphinx.Decoder(samprate=RATE, cmn="batch", loglevel="FATAL")

    def hear(self, samples):
        silence = np.zeros(int(PADDING_S * RATE), np.float32)
        sound = np.concatenate([silence, samples, silence])
        self.decoder.start_utt()
        self.decoder.process_raw((np.clip(sound, -1, 1) * 32767).astype(np.int16).tobytes(), full_utt=True)
        self.decoder.end_utt()
        heard = self.decoder.hyp()
        return normalize(heard.hypstr) if heard else ""

    def judge(self, wavs, texts):
        clips, wanted, heard = [], [], []
        for name, path in wavs.items():
            wanted.append(normalize(texts[name]))
            heard.append(self.hear(read_sound(path)))
            clips.append({"id": name, "text": wanted[-1], "heard": heard[-1],
                          "word_error": self.jiwer.wer(wanted[-1], heard[-1])})
        return {"clips": clips, "word_error": self.jiwer.wer(wanted, heard) if wanted else None,
                "character_error": self.jiwer.cer(wanted, heard) if wanted else None,
                "words": sum(len(text.split()) for text in wanted)}


class Listener:
    """Who speaks, as Resemblyzer hears it."""

    def __init__(self):
        from resemblyzer import VoiceEncoder, preprocess_wav

        self.preprocess, self.encoder = preprocess_wav, VoiceEncoder("cpu", verbose=False)

    def embed(self, path):
        return self.encoder.embed_utterance(self.preprocess(read_sound(path), source_sr=RATE))

    def judge(self, wavs, others):
        like = np.mean([self.embed(path) for path in others], axis=0)
        like /= np.linalg.norm(like)
        cosines = {name: float(self.embed(path) @ like) for name, path in wavs.items()}
        return {"mean": statistics.fmean(cosines.values()), "least": min(cosines.values()), "clips": cosines}


class Quality:
    def __init__(self):
        from speechmos import dnsmos

        self.run = dnsmos.run

    def judge(self, wavs):
        scores = {name: float(self.run(np.clip(read_sound(path), -1, 1), sr=RATE)["ovrl_mos"])
                  for name, path in wavs.items()}
        return {"mean": statistics.fmean(scores.values()), "clips": scores}


def make(kind, packages):
    try:
        return kind()
    except ImportError as error:
        print(f"judge_speech: {error}: no {kind.__name__.lower()}; pip install {packages} (see --help)", file=sys.stderr)
        return None


def judge(flags):
    texts = read_texts(flags.reference_text)
    if flags.write_out_with:
        texts = write_out(texts, flags.write_out_with)
    wavs = list_wavs(flags.wavs, texts)
    if not wavs:
        sys.exit(f"judge_speech: {flags.wavs}: no wav of {flags.reference_text}")
    out = {}
    if recogniser := make(Recogniser, "pocketsphinx jiwer"):
        out["speech"] = recogniser.judge(wavs, texts)
        if flags.source_wavs:
            out["source"] = recogniser.judge(list_wavs(flags.source_wavs, texts), texts)
    if flags.similarity_to and (listener := make(Listener, "--no-deps resemblyzer, librosa webrtcvad")):
        out["similarity"] = listener.judge(wavs, sorted(Path(flags.similarity_to).rglob("*.wav")))
    if quality := make(Quality, "speechmos onnxruntime"):
        out["dnsmos"] = quality.judge(wavs)
    return out


def show(out):
    for name in ("speech", "source"):
        if name in out:
            print(f"{name}: word error {out[name]['word_error']:.1%}, character error {out[name]['character_error']:.1%}, "
                  f"of {out[name]['words']} words in {len(out[name]['clips'])} clips")
            for clip in out[name]["clips"]:
                print(f"  {clip['id']}  {clip['word_error']:.0%}\n    text   {clip['text']}\n    heard  {clip['heard']}")
    if "similarity" in out:
        print(f"similarity: mean {out['similarity']['mean']:.3f}, least {out['similarity']['least']:.3f}")
    if "dnsmos" in out:
        print(f"DNSMOS: mean {out['dnsmos']['mean']:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference-text", required=True, help="lines id|text")
    parser.add_argument("--wavs", required=True, help="folder of what was spoken")
    parser.add_argument("--source-wavs", help="folder of recordings of the same texts")
    parser.add_argument("--similarity-to", help="folder of clips of the voice it should sound like")
    parser.add_argument("--write-out-with", metavar="SEDA", help="the program seda, which writes the texts' numbers out")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    flags = parser.parse_args()
    out = judge(flags)
    if flags.json:
        print(json.dumps(out, indent=2, ensure_ascii=False))
    else:
        show(out)


if __name__ == "__main__":
    main()
