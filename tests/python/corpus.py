# SPDX-License-Identifier: Apache-2.0
"""Small corpora of tones, and how they are read without espeak-ng."""
import math
import os
import struct
import subprocess
import sys
import wave
from pathlib import Path

import seda

CONFIG = {"data.text": {"phonemes": False, "tokenizer": "characters"}, "data.preprocessing_mode": "precompute",
          "data.num_workers": 2, "data.num_buckets": 3, "data.validation_share": 0}
RATE = 22050


def make_corpus(folder: Path, clips: int = 40) -> Path:
    """Tones of different lengths, of two speakers."""
    (folder / "wavs").mkdir(parents=True)
    rows = ["path|text|speaker"]
    for clip in range(clips):
        samples = 6000 + 900 * (clip % 11)
        tone = [int(8000 * math.sin(0.02 * (clip + 3) * t)) for t in range(samples)]
        with wave.open(str(folder / f"wavs/c{clip:03}.wav"), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(RATE)
            sound.writeframes(struct.pack(f"<{samples}h", *tone))
        rows.append(f"wavs/c{clip:03}.wav|This is line number {clip}{' of them' * (clip % 3)}.|speaker{clip % 2}")
    (folder / "metadata.csv").write_text("\n".join(rows) + "\n")
    return folder


def make_loader(corpus, **arguments) -> seda.Loader:
    config = {**CONFIG, **arguments.pop("config", {})}
    return seda.Loader(corpus, **{"batch_size": 8, "device": "cpu", "seed": 5, **arguments}, config=config)


def run_python(code: str, *arguments: str, **options) -> subprocess.CompletedProcess:
    """Another Python, with `corpus` at hand."""
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120,
                          cwd=Path(__file__).parent, env={**os.environ}, check=False, **options)
