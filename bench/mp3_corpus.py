#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies a corpus with its sound as mp3 of 48 kHz, as collections of many speakers have it.

    bench/mp3_corpus.py CORPUS OUT [--clips 400] [--rate 48000]

CORPUS has metadata.csv and wavs/, as `seda corpus` makes it; OUT gets the first clips. bench/train_bench.py --costly OUT then
measures what loaders are worth where a clip costs more to read than to train on. Needs soundfile and soxr, which
`scripts/setup.sh peers` brings with librosa.
"""
import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HOME = Path(os.environ.get("SEDA_HOME", Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share")) / "seda"))
sys.path.append(str(HOME / "peers"))
try:
    import soundfile
    import soxr
except ImportError as error:
    sys.exit(f"mp3_corpus: {error}; run scripts/setup.sh peers")


def copy(wav, mp3, rate):
    samples, found = soundfile.read(wav, dtype="float32")
    soundfile.write(mp3, soxr.resample(samples, found, rate), rate, format="MP3")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--clips", type=int, default=400)
    parser.add_argument("--rate", type=int, default=48000, metavar="HZ")
    options = parser.parse_args()

    lines = (options.corpus / "metadata.csv").read_text(encoding="utf-8").splitlines()[:options.clips]
    (options.out / "wavs").mkdir(parents=True, exist_ok=True)
    names = [line.split("|")[0] for line in lines]
    with ThreadPoolExecutor() as threads:
        copies = [threads.submit(copy, options.corpus / "wavs" / f"{name}.wav", options.out / "wavs" / f"{name}.mp3", options.rate)
                  for name in names]
    for done in copies:
        done.result()
    (options.out / "metadata.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{options.out}: {len(lines)} clips")


if __name__ == "__main__":
    main()
