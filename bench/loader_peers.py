#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wav files to log-mel batches of one shape by PyTorch's DataLoader and torchaudio: what loader_bench's `files` is held against.

Row 6 of bench/README.md, the peer's side.

    bench/loader_peers.py [--corpus FOLDER] [--workers 4,8,16]

Reads the files that loader_bench made: those of FOLDER, or of what SEDA_LOADER_CORPUS names. Batches of 32 of 880 frames,
mels made by the workers, page-locked, copied to the GPU where there is one; two epochs after the first, workers kept.
`loader_peers/best` is the fastest number of workers. Prints {"rows": [...]} for report.py; what is missing is named on
stderr.
"""
import argparse
import json
import os
import statistics
import sys
import time
import wave
from pathlib import Path

RATE, HOP, N_FFT, N_MELS, FRAMES, BATCH, EPOCHS = 22050, 256, 1024, 80, 880, 32, 2


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default=os.environ.get("SEDA_LOADER_CORPUS"))
    parser.add_argument("--workers", default="4,8,16", help="numbers of workers to try")
    return parser.parse_args()


def make_dataset(files):
    import numpy
    import torch
    import torchaudio

    class Mels(torch.utils.data.Dataset):
        def __init__(self):
            self.mel = torchaudio.transforms.MelSpectrogram(
                RATE, n_fft=N_FFT, hop_length=HOP, n_mels=N_MELS, f_min=0, f_max=8000, power=1, center=False,
                norm="slaney", mel_scale="slaney")

        def __len__(self):
            return len(files)

        def __getitem__(self, index):
            with wave.open(str(files[index]), "rb") as clip:
                samples = numpy.frombuffer(clip.readframes(clip.getnframes()), dtype="<i2")
            sound = torch.from_numpy(samples.astype("float32") / 32768)
            pad = (N_FFT - HOP) // 2
            sound = torch.nn.functional.pad(sound[None, None], (pad, pad), mode="reflect")[0, 0]
            return torch.log(torch.clamp(self.mel(sound), min=1e-5))

    return Mels()


def collate(mels):
    import math

    import torch

    batch = torch.full((len(mels), N_MELS, FRAMES), math.log(1e-5))
    mask = torch.zeros(len(mels), FRAMES, dtype=torch.uint8)
    for row, mel in enumerate(mels):
        frames = min(FRAMES, mel.shape[1])
        batch[row, :, :frames] = mel[:, :frames]
        mask[row, :frames] = 1
    return batch, mask


def one_epoch(loader, device):
    """Seconds for each clip."""
    import torch

    clips = 0
    begin = time.perf_counter()
    for batch, mask in loader:
        batch, mask = batch.to(device, non_blocking=True), mask.to(device, non_blocking=True)
        clips += batch.shape[0]
    if device == "cuda":
        torch.cuda.synchronize()
    return (time.perf_counter() - begin) / clips


def measure(dataset, workers):
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(1)
    loader = torch.utils.data.DataLoader(
        dataset, batch_size=BATCH, shuffle=True, drop_last=True, num_workers=workers, collate_fn=collate,
        pin_memory=device == "cuda", persistent_workers=True, prefetch_factor=4)
    one_epoch(loader, device)
    return [one_epoch(loader, device) for _ in range(EPOCHS)]


def row(name, seconds):
    ordered = sorted(seconds)
    median = statistics.median(ordered)
    return {"name": name, "unit": "us/clip", "median": median * 1e6, "p90": ordered[int(len(ordered) * 0.9)] * 1e6,
            "runs": len(ordered), "items_per_second": 1 / median}


def rows_of(corpus, counts):
    files = sorted((Path(corpus) / "wavs").glob("*.wav"))
    if not files:
        raise FileNotFoundError(f"expected wavs/*.wav in {corpus}, found none; run loader_bench --make first")
    dataset = make_dataset(files)
    rows = []
    for workers in counts:
        rows.append(row(f"loader_peers/dataloader/workers:{workers}", measure(dataset, workers)))
        print(rows[-1], file=sys.stderr, flush=True)
    best = min(rows, key=lambda each: each["median"])
    return [*rows, {**best, "name": "loader_peers/best"}]


def main():
    arguments = read_arguments()
    rows = []
    try:
        if not arguments.corpus:
            raise FileNotFoundError("expected the corpus of loader_bench: --corpus FOLDER or SEDA_LOADER_CORPUS")
        rows = rows_of(arguments.corpus, [int(count) for count in arguments.workers.split(",")])
    except ImportError as error:
        print(f"loader_peers: {error}; scripts/setup.sh peers installs it", file=sys.stderr)
    except FileNotFoundError as error:
        print(f"loader_peers: {error}", file=sys.stderr)
    print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
