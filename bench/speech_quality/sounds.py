# SPDX-License-Identifier: Apache-2.0
"""Texts and the wavs that say them."""
import re
import subprocess
import unicodedata
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 16000
SPELLINGS = {"mr": "mister", "mrs": "missus", "dr": "doctor", "st": "saint"}  # the recogniser's, as they are said


def read_sound(path):
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    return np.clip(soxr.resample(samples.mean(axis=1), rate, RATE), -1, 1)


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
    """Lower case, without punctuation, as a recogniser writes."""
    text = unicodedata.normalize("NFKC", text).lower().replace("’", "'").replace("-", " ")
    words = [word.strip("'") for word in re.sub(r"[^\w\s']", " ", text).split()]
    return " ".join(SPELLINGS.get(word, word) for word in words if word)


def read_folder(folder, texts):
    """Sounds of the texts that have a wav, by id."""
    found = {path.stem: path for path in sorted(Path(folder).rglob("*.wav"))}
    return {name: read_sound(found[name]) for name in texts if name in found}
